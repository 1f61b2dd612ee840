import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** On other systems PostgreSQL's own checks must suffice. */
const hasProc = existsSync('/proc/self/cwd');

const maxWaitMs = 10_000;

/** The process ID and the TCP port in the lock file of a database server; undefined without a lock file. */
export async function readPostmaster(cluster: string): Promise<{ pid: number; port: number } | undefined> {
  const lines = (await orEmpty(readFile(join(cluster, 'postmaster.pid'), 'utf8'))).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 ? { pid, port } : undefined;
}

/**
 * Whether the database server in the lock file runs. The process ID alone does not prove it: the killed server may be a
 * zombie, and after a restart of the container another program may have its ID.
 * @param cluster the path of the cluster without symbolic links
 */
export async function isPostmasterAlive(cluster: string): Promise<boolean> {
  const postmaster = await readPostmaster(cluster);
  if (!postmaster) return false;
  // In a container, even root may not read the working directory of another user's process.
  if (hasProc) return await isPostgresIn(cluster, postmaster.pid, { ifUnreadable: true });
  try {
    return process.kill(postmaster.pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Ends the child processes of a killed database server and removes its lock file. A child that runs a long query does
 * not notice that the server is gone, and no server can start before it ends. Does nothing while the server runs.
 */
export async function clearDeadPostmaster(cluster: string): Promise<void> {
  if (!hasProc || (await isPostmasterAlive(cluster))) return;
  // A process that does not end in this time waits for the disk. PostgreSQL then refuses to start and says why.
  for (const until = Date.now() + maxWaitMs; Date.now() < until; await delay(50)) {
    const orphans = await listOrphans(cluster);
    if (orphans.length === 0) break;
    // The server is gone, so its shared memory is lost, and the next start recovers from the write-ahead log.
    for (const pid of orphans) killIfAlive(pid);
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

async function listOrphans(cluster: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const checked = await Promise.all(pids.map((pid) => isPostgresIn(cluster, pid, { ifUnreadable: false })));
  return pids.filter((_, index) => checked[index]);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/**
 * Whether the process is a PostgreSQL process of the cluster, which is their working directory, and no zombie. The
 * process state is the first letter after the program's name, which is in parentheses (proc(5)).
 */
async function isPostgresIn(cluster: string, pid: number, { ifUnreadable }: { ifUnreadable: boolean }) {
  const stat = await orEmpty(readFile(`/proc/${pid}/stat`, 'utf8'));
  if (!/^\d+ \(postgres\) [^ZX]/.test(stat)) return false;
  return await readlink(`/proc/${pid}/cwd`).then(
    (folder) => folder === cluster,
    (error: NodeJS.ErrnoException) => error.code === 'EACCES' && ifUnreadable,
  );
}

/** Returns '' on errors, because a process may end while its files are read. */
const orEmpty = (text: Promise<string>): Promise<string> => text.catch(() => '');
