import { getPriority } from 'node:os';
import { sql } from 'kysely';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import type { ThreadContext } from './run-in-thread.ts';

// Functions that the tests of runInThread run in a thread.

export async function double({ db, onProgress }: ThreadContext<{ step: number }>, number: number): Promise<number> {
  for (const step of [1, 2]) onProgress({ step });
  const { rows } = await sql<{ twice: number }>`select ${number}::integer * 2 as twice`.execute(db);
  return rows[0]?.twice ?? 0;
}

export async function divideByZero({ db }: ThreadContext<never>): Promise<void> {
  await sql`select 1 / 0`.execute(db);
}

export async function readPriority(): Promise<number> {
  return getPriority();
}

export async function refuse(): Promise<void> {
  throw new UnreadableFile('empty', 'The file is empty.');
}

export async function addAndSleep({ db }: ThreadContext<never>, name: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`insert into domains (name, tld, risk_level, source) values (${name}, 'test', 1, 'crawler')`.execute(trx);
    await sql`select pg_sleep(60)`.execute(trx);
  });
}

export async function spin({ onProgress }: ThreadContext<string>): Promise<void> {
  onProgress('spinning');
  for (;;);
}

export async function fillMemory(): Promise<void> {
  for (const kept: number[][] = []; ; ) kept.push(new Array(100_000).fill(0.5));
}

export async function exit(): Promise<void> {
  process.exit();
}
