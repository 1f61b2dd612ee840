import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../start-error.ts';

const timeoutMs = 20_000;

/**
 * Removes the lock file of a database server that was killed but that nobody buried: where the first process of a container does
 * not reap its orphans, a killed postmaster stays as a zombie, and PostgreSQL takes its number for a running server. Its children
 * end by themselves within moments; the file goes only when none of them is left. Linux only: elsewhere there are no such places.
 */
export async function clearDeadPostmaster(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const pid = Number((await orEmpty(readFile(file, 'utf8'))).split('\n')[0]);
  if (!pid || !(await isZombie(pid))) return;
  for (const until = Date.now() + timeoutMs; await worksIn(cluster); ) {
    if (Date.now() > until)
      throw new StartError(`Processes of a killed database server still work in ${cluster}. Stop them first.`);
    await delay(100);
  }
  await rm(file, { force: true });
}

/** The state is the first letter behind the program's name, which stands in brackets (proc(5)). */
async function isZombie(pid: number): Promise<boolean> {
  const stat = await orEmpty(readFile(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

/** Whether a live process has the folder as its working directory, as every process of PostgreSQL does. */
async function worksIn(folder: string): Promise<boolean> {
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await orEmpty(readlink(`/proc/${name}/cwd`))) === folder) return true;
  }
  return false;
}

/** Processes end while they are looked at. */
const orEmpty = (text: Promise<string>): Promise<string> => text.catch(() => '');
