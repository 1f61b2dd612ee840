import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { program } from './embedded-database.ts';
import type { Trial } from './trial.ts';

/** Files and folders of the database in the order in which initdb creates them. */
const phases = ['PG_VERSION', 'postgresql.conf', 'pg_control', 'base/1/1259', 'base/4/PG_VERSION', 'base/5/PG_VERSION'];
const victims = ['Linksieve', 'Linksieve and initdb', 'PostgreSQL only'] as const;

/** The first start creates the database with initdb, which starts PostgreSQL several times. */
export const initdbKilledTrial: Trial = {
  name: 'initdb-killed',
  fault: `kill -9 of the first start in ${phases.length} phases of initdb: of ${victims.join(', of ')}`,
  promise: 'The next start creates the database, without help',
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), 'linksieve-initdb-'));
    let killed = 0;
    try {
      for (const phase of phases) {
        for (const victim of victims) {
          if (await killFirstStart(dataDir, phase, victim)) killed += 1;
          const [code] = await once(startMigrate(dataDir), 'close');
          if (code !== 0)
            throw new Error(`After the kill of ${victim} at ${phase}, the next start exited with ${code}.`);
          const left = (await readdir(dataDir)).filter((name) => name.includes('unfinished'));
          if (left.length > 0) throw new Error(`The next start left ${left.join(', ')}.`);
          await rm(join(dataDir, 'postgres'), { recursive: true, force: true });
        }
      }
      return `${killed} interrupted starts, ${phases.length * victims.length} next starts`;
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** Kills a part of a start as soon as a file of the database exists. @returns whether the start was interrupted */
async function killFirstStart(dataDir: string, phase: string, victim: (typeof victims)[number]): Promise<boolean> {
  const first = startMigrate(dataDir);
  const closed = once(first, 'close');
  while (first.exitCode === null && !(await listFiles(dataDir)).some((path) => path.endsWith(phase))) await delay(5);
  const { pid } = first;
  if (pid && first.exitCode === null) {
    if (victim === 'Linksieve') kill(pid);
    else if (victim === 'Linksieve and initdb') kill(-pid);
    else for (const postgres of await listPostgres(pid)) kill(postgres);
  }
  const [code] = await closed;
  return code !== 0;
}

/** Kills a process, or a process group if the ID is negative. It may just have exited. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Returns nothing while initdb creates or renames folders that are being listed. */
function listFiles(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true }).catch(() => []);
}

/** Starts `npm start -- migrate` as the leader of its own process group. */
function startMigrate(dataDir: string): ChildProcess {
  return spawn(process.execPath, [program, 'migrate'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  });
}

/** Returns the PostgreSQL processes of a process group, whose ID is the third field after the name (proc(5)). */
async function listPostgres(group: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')));
  const pattern = new RegExp(`^\\d+ \\(postgres\\) \\S+ \\d+ ${group} `);
  return pids.filter((_, i) => pattern.test(stats[i] ?? '')).map(Number);
}
