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

/** Returns the resident memory of a process in MB (Linux only). */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
