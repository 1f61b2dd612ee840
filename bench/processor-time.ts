import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** The unit of times in /proc on Linux. */
const ticksPerSecond = 100;

/**
 * Returns the processor seconds that processes and all that they have started have used so far (Linux only).
 */
export function readProcessorSeconds(pids: Iterable<number | string>): number {
  let seconds = 0;
  for (const pid of pids) {
    const times = readFields(pid)?.slice(11, 15) ?? [];
    // The last two are those of children that have ended.
    seconds += times.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
    seconds += readProcessorSeconds(listChildren(pid));
  }
  return seconds;
}

/** Returns the process that starts all others of a database server on this machine. */
export async function findPostmaster(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return Number(readFields(rows[0]?.pid ?? 0)?.[1]);
}

/** Returns what /proc says about a process after its name; undefined if it has ended. */
function readFields(pid: number | string): string[] | undefined {
  const text = readProcess(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function listChildren(pid: number | string): string[] {
  const threads = readProcess(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return threads.flatMap(
    (thread) =>
      readProcess(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'))
        ?.split(' ')
        .filter(Boolean) ?? [],
  );
}

/** Returns undefined if the process has ended. */
function readProcess<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return;
    throw error;
  }
}
