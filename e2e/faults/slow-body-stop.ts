import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { SeparateServer } from '../separate-server.ts';
import { connectToDatabase } from './server-database.ts';
import type { Trial } from './trial.ts';
import { signIn, withServer } from './with-server.ts';

const stopMs = 10_000;
/** The pause before a second signal. The server treats an earlier one as the same. */
const secondSignalAfterMs = 1500;
const secondStopMs = 1000;

/** A stop must end, whatever clients and the database do. */
export const slowBodyStopTrial: Trial = {
  name: 'slow-body-stop',
  fault: 'SIGTERM while clients send bodies one byte at a time, and while a query waits for a lock',
  promise: `The server exits with code 0 within ${stopMs / 1000} s, and at once after a second signal`,
  short: true,
  run: () =>
    withServer(async (server) => {
      const cleanUp = await occupy(server);
      const [code, milliseconds] = await timeEnd(server);
      await cleanUp();
      if (code !== 0) throw new Error(`The server exited with code ${code}.`);
      if (milliseconds > stopMs) throw new Error(`The server exited after ${milliseconds} ms.`);

      await server.start();
      const cleanUpAgain = await occupy(server);
      const ended = server.end();
      await new Promise((resolve) => setTimeout(resolve, secondSignalAfterMs));
      const start = performance.now();
      process.kill(server.pid(), 'SIGTERM');
      await ended;
      const second = Math.round(performance.now() - start);
      await cleanUpAgain();
      if (second > secondStopMs) throw new Error(`The server exited ${second} ms after the second signal.`);
      return `exited after ${(milliseconds / 1000).toFixed(1)} s, and ${second} ms after a second signal`;
    }),
};

/** Occupies a server with slow clients and a stuck query. @returns a function that ends them */
async function occupy(server: SeparateServer): Promise<() => Promise<void>> {
  const cookie = await signIn(server);
  const database = await connectToDatabase(server);
  await database.query('begin');
  await database.query('lock table websites');
  const stuck = fetch(`${server.address}/api/profiles`, { headers: { cookie } }).catch(() => undefined);
  const multipart = 'content-type: multipart/form-data; boundary=x\r\n';
  const slow = await Promise.all([
    openSlowBody(server.port, '/api/contact', 'content-type: application/json\r\n'),
    openSlowBody(server.port, '/api/backlinks/analyze', `${multipart}cookie: ${cookie}\r\n`),
  ]);
  const timer = setInterval(() => {
    for (const socket of slow) socket.write(' ');
  }, 1000);
  return async () => {
    clearInterval(timer);
    for (const socket of slow) socket.destroy();
    await Promise.all([stuck, database.end().catch(() => undefined)]);
  };
}

async function openSlowBody(port: number, path: string, headers: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const site = 'sec-fetch-site: same-origin\r\n';
  socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\n${site}${headers}content-length: 1000\r\n\r\n{`);
  return socket;
}

async function timeEnd(server: SeparateServer): Promise<[number | null, number]> {
  const start = performance.now();
  const code = await server.end();
  return [code, Math.round(performance.now() - start)];
}
