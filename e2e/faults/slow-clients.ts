import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Trial } from './trial.ts';
import { withServer } from './with-server.ts';

const sockets = 400;
const checks = 50;
const allowedMs = 500;

/** Slow clients must not delay others: each socket sends half of its headers and then one byte per second. */
export const slowClientsTrial: Trial = {
  name: 'slow-clients',
  fault: `${sockets} clients send their headers one byte at a time`,
  promise: `Other requests are answered within ${allowedMs} ms (median)`,
  short: true,
  run: () =>
    withServer(async (server) => {
      const slow = await Promise.all(Array.from({ length: sockets }, () => openSlowly(server.port)));
      const timer = setInterval(() => {
        for (const socket of slow) socket.write('a');
      }, 1000);
      try {
        const times: number[] = [];
        for (let i = 0; i < checks; i += 1) {
          const start = performance.now();
          const response = await fetch(`${server.address}/healthz`);
          if (!response.ok) throw new Error(`/healthz returned ${response.status}.`);
          times.push(performance.now() - start);
        }
        const median = times.toSorted((a, b) => a - b)[checks / 2] ?? 0;
        if (median > allowedMs) throw new Error(`The median of ${checks} requests is ${Math.round(median)} ms.`);
        return `median ${median.toFixed(1)} ms, slowest ${Math.max(...times).toFixed(1)} ms`;
      } finally {
        clearInterval(timer);
        for (const socket of slow) socket.destroy();
      }
    }),
};

async function openSlowly(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  return socket;
}
