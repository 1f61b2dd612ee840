import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** The variable with the port of the probe. */
export const probePort = 'MAIN_THREAD_PROBE_PORT';

/**
 * Loaded into a server by `--import`, in a trial. Responds with the longest time in milliseconds during which the main
 * thread served nothing since the last request.
 */
const port = process.env[probePort];
if (port !== undefined && isMainThread && process.argv[1]?.endsWith('server/main.ts')) {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const server = createServer((_request, response) => {
    response.end(String(delays.max / 1e6));
    delays.reset();
  });
  server.listen(Number(port), '127.0.0.1').unref();
}
