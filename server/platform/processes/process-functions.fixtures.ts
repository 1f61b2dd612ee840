import { getPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { notFound } from '../http/errors.ts';
import type { ProcessContext } from './run-in-process.ts';

// Functions for the tests of runInProcess.

export async function double({ db, onProgress }: ProcessContext<{ step: number }>, number: number): Promise<number> {
  for (const step of [1, 2]) onProgress({ step });
  const { rows } = await sql<{ twice: number }>`select ${number}::integer * 2 as twice`.execute(db);
  return rows[0]?.twice ?? 0;
}

export async function divideByZero({ db }: ProcessContext<never>): Promise<void> {
  await sql`select 1 / 0`.execute(db);
}

export async function readPriority(): Promise<number> {
  return getPriority();
}

export async function refuse(): Promise<void> {
  throw new UnreadableFile('empty', 'The file is empty.');
}

export async function addAndSleep({ db }: ProcessContext<never>, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`insert into domains (name, tld, risk_level, source) values (${name}, 'test', 1, '{crawler}')`.execute(
      trx,
    );
    await sql`select pg_sleep(60)`.execute(trx);
  });
}

export async function getProcessId(): Promise<number> {
  return process.pid;
}

export async function listNames(): Promise<string[]> {
  return ['listed.test'];
}

export async function sleep({ onProgress }: ProcessContext<number>): Promise<void> {
  onProgress(process.pid);
  await delay(60_000);
}

export async function spin({ onProgress }: ProcessContext<string>): Promise<void> {
  onProgress('spinning');
  for (;;);
}

export async function fillMemory(): Promise<void> {
  for (const kept: number[][] = []; ; ) kept.push(new Array(100_000).fill(0.5));
}

/** Fills memory outside the heap. */
export async function fillBuffers(): Promise<void> {
  for (const kept: Buffer[] = []; ; await delay(1)) kept.push(Buffer.alloc(2_000_000, 1));
}

/** Fills memory faster than the parent measures it. */
export async function fillBuffersAtOnce(): Promise<void> {
  for (const kept: Buffer[] = []; ; ) kept.push(Buffer.alloc(50_000_000, 1));
}

/** Long strings of bytes are outside the heap. */
export async function fillStrings(): Promise<void> {
  const bytes = Buffer.alloc(7_000_000, 'x');
  for (const kept: string[] = []; ; ) kept.push(bytes.toString('latin1'));
}

export async function refuseRequest(): Promise<void> {
  throw notFound('list', 1);
}

export async function exit(): Promise<void> {
  process.stderr.write('what went wrong');
  process.exit(3);
}
