import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Memory for buffers, external strings, code and stacks, which the heap limit does not include. */
export const maxOutsideHeapMb = 256;
const spareMb = 128;

/** Starts Node.js. On Linux, a shell sets the limit of its memory, and that it leaves no core file, and becomes it. */
export function forkProcess(maxMemoryMb: number | undefined, priority: number): ChildProcess {
  const args = [String(priority)];
  const file = new URL('./process.ts', import.meta.url);
  // `execArgv` drops the options of this process. `detached` keeps Ctrl+C in a terminal from reaching the child.
  const stdio = ['ignore', 'inherit', 'pipe', 'ipc'] as const;
  const options = { serialization: 'advanced', detached: true, stdio, env: pickEnvironment() } as const;
  if (maxMemoryMb === undefined) return fork(file, args, { ...options, stdio: [...options.stdio], execArgv: [] });
  const heapLimit = `--max-old-space-size=${maxMemoryMb}`;
  if (process.platform !== 'linux') {
    return fork(file, args, { ...options, stdio: [...options.stdio], execArgv: [heapLimit] });
  }
  const limitKb = (measureReservedMb() + maxMemoryMb + maxOutsideHeapMb) * 1024;
  const script = `ulimit -c 0; ulimit -d ${limitKb}; exec "$0" "$@"`;
  const execArgv = ['-c', script, process.execPath, heapLimit];
  return fork(file, args, { ...options, stdio: [...options.stdio], execPath: '/bin/sh', execArgv });
}

/** Without the secrets of the settings: the process reads files of others. */
function pickEnvironment(): NodeJS.ProcessEnv {
  const needed = /^(?:PATH|HOME|TMPDIR|TZ|LANG|LC_\w+|LD_LIBRARY_PATH|NODE_\w+|SSL_CERT_\w+|PG\w+)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.test(name)));
}

/**
 * Returns what Node.js reserves without using it, which counts toward the limit of the system: about 575 MB, depending
 * on the processor. This process has reserved at least as much.
 */
function measureReservedMb(): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Math.ceil((readKilobytes(status, 'VmData') - readKilobytes(status, 'RssAnon')) / 1024) + spareMb;
}

const readKilobytes = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);

/** Returns how much memory a process has taken for itself; 0 if it has ended, and on other systems than Linux. */
export async function readOwnBytes(pid: number | undefined): Promise<number> {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return readKilobytes(status, 'RssAnon') * 1024;
}

/**
 * How Node.js and the system end a process without memory. The system also kills a process if the machine has none
 * left: see process.ts.
 */
const memorySignals: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGABRT',
  'SIGTRAP',
  'SIGILL',
  'SIGSEGV',
  'SIGBUS',
  'SIGKILL',
]);

/** The exit code of a process that V8 aborts on systems without signals, such as Windows. */
const abortCode = 134;

/** Whether a process ended because it had no memory. */
export const isMemoryEnd = (code: number | null, signal: NodeJS.Signals | null): boolean =>
  code === abortCode || (signal !== null && memorySignals.has(signal));
