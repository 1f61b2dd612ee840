import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { lockFile } from './lock-file.ts';
import { systemFault } from './read-hosts.ts';
import type { Options } from './read-options.ts';
import { CannotFinish, WrongUse } from './stop.ts';
import type { Verdict } from './verdict.ts';
import { judgeVerdictFile, openVerdictFile, readVerdicts } from './verdict-file.ts';
import { csvFormat, jsonFormat, type VerdictFormat } from './verdict-format.ts';
import { verdictTable } from './verdict-table.ts';

export interface Output {
  add(verdicts: readonly Verdict[]): Promise<void> | void;
  /** @returns where the verdicts are, in words; undefined: before the reader's eyes */
  close(isComplete: boolean): Promise<string | undefined>;
}

/**
 * Where verdicts go: a file, standard output as CSV, or a table at the end in a terminal. Throws WrongUse.
 * @param onEarlier is given the verdicts of an earlier run that stand in the file
 */
export async function openOutput(
  { out, onlyListed, file }: Pick<Options, 'out' | 'onlyListed' | 'file'>,
  onEarlier: (verdict: Verdict) => void,
): Promise<Output> {
  if (out === undefined) return process.stdout.isTTY ? asTable(onlyListed) : asStream(onlyListed);
  if (existsSync(out) && existsSync(file) && realpathSync(out) === realpathSync(file)) {
    throw new WrongUse('The file to read and the file after --out are the same. Name another one after --out.');
  }
  const format = out.toLowerCase().endsWith('.json') ? jsonFormat : csvFormat;
  try {
    lockFile(out);
    return told(out, await (onlyListed ? asListedFile(out, format, onEarlier) : asFile(out, format, onEarlier)));
  } catch (error) {
    throw systemFault(out, error) ?? error;
  }
}

/** A full disk and the like, in the middle of the work, are told in a sentence too. */
function told(out: string, { add, close }: Output): Output {
  const sentence = (error: unknown): never => {
    const fault = systemFault(out, error);
    throw fault ? new CannotFinish(fault.message) : error;
  };
  return {
    add: async (verdicts) => Promise.try(add, verdicts).catch(sentence),
    close: async (isComplete) => close(isComplete).catch(sentence),
  };
}

async function asFile(out: string, format: VerdictFormat, onEarlier: (verdict: Verdict) => void): Promise<Output> {
  const { add, close } = await openVerdictFile(out, format, onEarlier);
  return {
    add,
    async close() {
      close();
      return out;
    },
  };
}

/**
 * All verdicts go into a file beside it until the work is complete: another run must know what is clean too. An earlier file
 * of listed domains is replaced then.
 */
async function asListedFile(
  out: string,
  format: VerdictFormat,
  onEarlier: (verdict: Verdict) => void,
): Promise<Output> {
  await judgeVerdictFile(out, format, () => undefined);
  const part = `${out}.part`;
  const all = await openVerdictFile(part, format, onEarlier);
  return {
    add: all.add,
    async close(isComplete) {
      if (!isComplete) {
        all.close();
        return part;
      }
      const listed = `${out}.${randomUUID()}`;
      const chosen = await openVerdictFile(listed, format, () => undefined);
      await readVerdicts(part, format, (verdict) => {
        if (verdict.listed) chosen.add([verdict]);
      });
      chosen.close();
      all.close();
      renameSync(listed, out);
      rmSync(part);
      return out;
    },
  };
}

function asStream(onlyListed: boolean): Output {
  const { opening, line } = csvFormat;
  let text = opening;
  const flush = async () => {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    text = '';
  };
  return {
    add(verdicts) {
      for (const verdict of verdicts) if (verdict.listed || !onlyListed) text += line(verdict, false);
      return flush();
    },
    async close() {
      await flush();
      return undefined;
    },
  };
}

function asTable(onlyListed: boolean): Output {
  const shown: Verdict[] = [];
  return {
    add(verdicts) {
      for (const verdict of verdicts) if (verdict.listed || !onlyListed) shown.push(verdict);
    },
    async close() {
      for (const text of verdictTable(shown)) process.stdout.write(text);
      return undefined;
    },
  };
}
