import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { createFastify } from './fastify.ts';

const lines: { level: number; msg: string; [field: string]: unknown }[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const stopping = new AbortController();

/** Deadlines that tests of deadlines wait for. On a busy machine, other requests may exceed them too. */
const shortDeadlines = { headers: 300, body: 300, uploadWindow: 300, uploadBytes: 100, responseWindow: 300 };

async function startServer({ deadlines, stop }: { deadlines?: typeof shortDeadlines; stop?: AbortSignal } = {}) {
  const app = createFastify({
    log,
    maxUploadBytes: 1024 ** 2,
    maxUploadFiles: 1,
    publicOrigin: undefined,
    trustProxy: 0,
    requestsPerMinute: 10_000,
    ...(deadlines && { deadlines }),
    ...(stop && { stopping: stop }),
  });
  const access = { config: { access: 'public' as const } };
  app.get('/items/:id', access, async () => ({ ok: true }));
  app.post('/items', access, async (request) => request.body);
  app.get('/endless', access, async (_request, reply) => {
    const stream = new Readable({
      read() {
        this.push(Buffer.alloc(65_536));
      },
    });
    return reply.send(stream);
  });
  app.post('/upload', access, async (request) => {
    let bytes = 0;
    for await (const chunk of request.raw) bytes += (chunk as Buffer).length;
    return { bytes };
  });
  app.get('/stuck', access, () => new Promise(() => undefined));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
}

const { app, port } = await startServer({ deadlines: shortDeadlines });
const { app: patient, port: patientPort } = await startServer();
afterAll(() => Promise.all([app.close(), patient.close()]));

/** Sends parts of a request with a pause after each. @returns everything that the server sent before it closed */
async function send(parts: string[], pauseMs = 0, to = port): Promise<string> {
  const socket = connect(to, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  for (const part of parts) {
    if (socket.destroyed) break;
    socket.write(part, 'latin1');
    await delay(pauseMs);
  }
  await closed;
  return received;
}

const post = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nsec-fetch-site: same-origin\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
const slowly = (count: number, part: string) => Array.from({ length: count }, () => part);

test('a body that takes too long is refused with 408', async () => {
  const response = await send([post('/items', 'application/json', 1000), ...slowly(100, ' ')], 50);
  expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toEqual({
    error: 'The request took too long to arrive. Please try again.',
    code: 'invalid',
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

test('an upload that progresses may take longer than other bodies', async () => {
  const upload = post('/upload', 'multipart/form-data; boundary=x', 4000);
  const response = await send([upload, ...slowly(40, 'a'.repeat(100))], 25);
  expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\{"bytes":4000\}$/s);
});

test('an upload that hardly progresses is refused with 408', async () => {
  const response = await send([post('/upload', 'multipart/form-data; boundary=x', 1000), ...slowly(100, 'a')], 50);
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
});

test('headers that take too long are refused with 408', async () => {
  const response = await send(['GET /items/1 HTTP/1.1\r\nhost: localhost\r\nx-slow: ', ...slowly(100, 'a')], 50);
  expect(response).toMatch(/^HTTP\/1\.1 408 .*"code":"invalid"/s);
});

test.each([
  ['garbage', 'garbage\r\n\r\n', 400],
  ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000', 400],
  ['an unknown encoding', 'POST /items HTTP/1.1\r\nhost: a\r\ntransfer-encoding: xchunked\r\n\r\n', 400],
  ['two hosts', 'GET /items/1 HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n', 400],
  ['no host', 'GET /items/1 HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['a long URL', `GET /items/1?${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
  ['large headers', `GET /items/1 HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
])(
  'a request with %s gets an error in our shape and security headers, and no line above debug',
  async (_, request, status) => {
    lines.length = 0;
    const response = await send([request], 0, patientPort);
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(JSON.parse(body)).toEqual({
      error: expect.any(String),
      code: expect.any(String),
      requestId: expect.any(String),
    });
    expect(lines.filter(({ level, msg }) => level > 20 && msg !== 'request')).toEqual([]);
  },
);

test('an address that sends many malformed requests gets no more responses to them, but others', async () => {
  const { app: other, port: otherPort } = await startServer();
  lines.length = 0;
  const responses = await Promise.all(Array.from({ length: 125 }, () => send(['garbage\r\n\r\n'], 0, otherPort)));
  // The limit of 60 is per minute, and a new minute may have begun.
  const answered = responses.filter((response) => response.startsWith('HTTP/1.1 400')).length;
  expect([answered >= 60, answered <= 120]).toEqual([true, true]);
  expect(lines).toHaveLength(answered);
  expect((await fetch(`http://127.0.0.1:${otherPort}/items/1`)).status).toBe(200);
  await other.close();
});

test('the access log has the route of a request, without its path and query', async () => {
  lines.length = 0;
  await fetch(`http://127.0.0.1:${port}/items/secret?token=secret`);
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toMatchObject({
    level: 30,
    msg: 'request',
    method: 'GET',
    route: '/items/:id',
    status: 200,
    network: '127.0.0.1',
    reqId: expect.any(String),
    ms: expect.any(Number),
  });
  expect(Number(lines[0]?.bytes)).toBeGreaterThan('{"ok":true}'.length);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('a server that stops closes connections after their response, and stuck ones after the grace period', async () => {
  const { app: stopped, port: stoppedPort } = await startServer({ deadlines: shortDeadlines, stop: stopping.signal });
  const agent = `http://127.0.0.1:${stoppedPort}`;
  expect((await fetch(`${agent}/items/1`)).headers.get('connection')).toBe('keep-alive');
  const stuck = fetch(`${agent}/stuck`).catch((error: unknown) => error);
  const slow = send([post('/items', 'application/json', 1000), ...slowly(100, ' ')], 10, stoppedPort);
  await delay(50);
  stopping.abort();
  expect((await fetch(`${agent}/items/1`)).headers.get('connection')).toBe('close');
  await stopped.stop(100);
  expect(await stuck).toBeInstanceOf(Error);
  expect(await slow).toBe('');
});

test('a client that does not read its response is disconnected, and one that reads slowly is not', async () => {
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  };
  const idle = open();
  idle.on('error', () => undefined);
  const slow = open();
  const closed = { idle: false, slow: false };
  idle.on('close', () => {
    closed.idle = true;
  });
  slow.on('close', () => {
    closed.slow = true;
  });
  const reading = setInterval(() => slow.read(1_000_000), 50);
  slow.on('readable', () => undefined);
  // The end of the connection is seen only after what was sent before.
  await delay(1500);
  idle.resume();
  await expect.poll(() => closed.idle, { timeout: 5000 }).toBe(true);
  expect(closed.slow).toBe(false);
  clearInterval(reading);
  for (const socket of [idle, slow]) socket.destroy();
});
