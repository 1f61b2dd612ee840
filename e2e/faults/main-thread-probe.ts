import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/** The variable with the port of the probe. */
export const probePort = 'MAIN_THREAD_PROBE_PORT';

const tickMs = 5;

/**
 * Loaded into a server by `--import`, in a trial. Responds with the longest processor time in milliseconds during which
 * the main thread served nothing else, since the last request. Other than elapsed time, it does not depend on what else
 * the machine does.
 */
const port = process.env[probePort];
if (port !== undefined && isMainThread && process.argv[1]?.endsWith('server/main.ts')) {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1000);
  }, tickMs);
  timer.unref();
  const server = createServer((_request, response) => {
    response.end(String(longestMs));
    longestMs = 0;
  });
  server.listen(Number(port), '127.0.0.1').unref();
}
