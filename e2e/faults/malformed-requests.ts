import { once } from 'node:events';
import { connect } from 'node:net';
import type { SeparateServer } from '../separate-server.ts';
import type { Trial } from './trial.ts';
import { withServer } from './with-server.ts';

const seconds = 5;
const clients = 20;
const allowedMs = 500;

const head = 'GET /api/stats/count HTTP/1.1\r\nhost: localhost\r\n';
/** What a client sends before it disconnects. */
const malformed = [
  `${head}\r\ngarbage\r\n\r\n`,
  `${head}transfer-encoding: xchunked\r\n\r\n`,
  `${head}x-long: ${'a'.repeat(20_000)}\r\n\r\n`,
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  `${head}\r\n`,
];

/** Visitors must not be able to fill the log. */
export const malformedRequestsTrial: Trial = {
  name: 'malformed-requests',
  fault: `${clients} clients send garbage, TLS, huge headers and unknown encodings, or reset their connections, for ${seconds} s`,
  promise: 'The log contains no error, the responses are JSON, and other requests succeed',
  short: true,
  run: () =>
    withServer(
      async (server) => {
        const logStart = server.output().length;
        const end = performance.now() + seconds * 1000;
        const results = await Promise.all(Array.from({ length: clients }, () => sendUntil(server, end)));
        const slowest = Math.max(...(await timeRequests(server)));
        const lines = server
          .output()
          .slice(logStart)
          .split('\n')
          .filter((line) => line.startsWith('{'));
        const errors = lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 40);
        const sent = results.reduce((sum, { count }) => sum + count, 0);
        const other = results.flatMap(({ responses }) => responses).find((response) => !isExpected(response));
        if (errors.length > 0) throw new Error(`${sent} requests wrote ${errors.length} warnings and errors.`);
        if (other !== undefined) throw new Error(`A response was ${JSON.stringify(other.slice(0, 300))}.`);
        if (slowest > allowedMs) throw new Error(`Another request took ${Math.round(slowest)} ms.`);
        return `${sent} requests, no warning or error, ${lines.length} lines of the access log`;
      },
      { LOG_LEVEL: 'info' },
    ),
};

async function sendUntil(server: SeparateServer, end: number): Promise<{ count: number; responses: string[] }> {
  const responses = new Set<string>();
  let count = 0;
  for (; performance.now() < end; count += 1) {
    const text = malformed[count % malformed.length] ?? '';
    const socket = connect(server.port, '127.0.0.1');
    let response = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      response += chunk;
    });
    await once(socket, 'connect');
    socket.write(text, 'latin1');
    // The last request is valid. Its client resets the connection at once.
    if (text === malformed.at(-1)) socket.resetAndDestroy();
    if (!socket.destroyed) await once(socket, 'close');
    if (response) responses.add(response);
  }
  return { count, responses: [...responses] };
}

/** Whether it is a success, or an error in our shape. */
function isExpected(response: string): boolean {
  return /^HTTP\/1\.1 (200|429) /.test(response) || /^HTTP\/1\.1 4(00|31) .*"code":".*"requestId":"/s.test(response);
}

async function timeRequests({ address }: SeparateServer): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < 20; i += 1) {
    const start = performance.now();
    const response = await fetch(`${address}/healthz`);
    if (!response.ok) throw new Error(`/healthz returned ${response.status}.`);
    times.push(performance.now() - start);
  }
  return times;
}
