import { readFileSync } from 'node:fs';

/** Watches the memory of a process (Linux). `stop` gives the peak above what it held at the start, in MB. */
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

function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
