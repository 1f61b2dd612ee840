import { readFileSync } from 'node:fs';

/** Samples the memory of a process (Linux only). `stop` returns its peak above the start value, in MB. */
export function samplePeak(pid: number): { stop(): number } {
  const idle = residentMegabytes(pid);
  let peak = idle;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid));
  }, 20);
  return {
    stop() {
      clearInterval(timer);
      return Math.round(Math.max(peak, residentMegabytes(pid)) - idle);
    },
  };
}

/** Returns the resident memory of a process and of those that read files for it, in MB (Linux only). */
export function residentMegabytes(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.reduce((sum, child) => sum + readChildMegabytes(child), readMegabytes(pid));
}

/** Returns 0 for the database, which is a child too, and for a process that has ended meanwhile. */
function readChildMegabytes(pid: string): number {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes('server/platform/processes/process.ts') ? readMegabytes(pid) : 0;
  } catch {
    return 0;
  }
}

function readMegabytes(pid: number | string): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
