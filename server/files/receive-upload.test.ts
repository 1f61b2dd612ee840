import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { startTestApp } from '../test-app.fixtures.ts';

const { context, signUp } = await startTestApp();
const admin = await signUp({ admin: true });
const lines: { level: number; msg: string }[] = [];
const log = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) });
const app = buildApp({ ...context, log });
await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => app.close());
beforeEach(() => {
  lines.length = 0;
});

const files = () => readdir(join(context.config.dataDir, 'uploads'));
/** Above 'info'. */
const complaints = () => lines.filter(({ level }) => level > 30);
const part = (name = 'file') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; filename="list.csv"\r\n\r\ndomain,source\na.example,One\n`;
const field = '--b\r\ncontent-disposition: form-data; name="userIsAdmin"\r\n\r\ntrue\r\n';

test.each([
  [
    'a form without a boundary',
    'multipart/form-data',
    `${part()}\r\n--b--\r\n`,
    'Please send the file as a multipart form with its boundary.',
  ],
  [
    'a form with a boundary that is too long',
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
    `${part()}\r\n--b--\r\n`,
    'Please send the file as a multipart form with its boundary.',
  ],
  ['a file that breaks off', 'multipart/form-data; boundary=b', part(), 'The upload broke off. Please try again.'],
  [
    'another file that breaks off',
    'multipart/form-data; boundary=b',
    part('other'),
    'The upload broke off. Please try again.',
  ],
  [
    'a form that breaks off after its file',
    'multipart/form-data; boundary=b',
    `${part()}\r\n${field}`,
    'The upload broke off. Please try again.',
  ],
  ['two files', 'multipart/form-data; boundary=b', `${part()}\r\n${part()}\r\n--b--\r\n`, 'Please send one file.'],
  [
    'two files in two fields',
    'multipart/form-data; boundary=b',
    `${part('other')}\r\n${part()}\r\n--b--\r\n`,
    'Please send one file.',
  ],
  ['an empty body', 'multipart/form-data; boundary=b', '', 'Please choose a file.'],
])('%s is refused with a sentence, and nothing of it stays', async (_what, type, body, sentence) => {
  const socket = open();
  socket.write(`${head(type, Buffer.byteLength(body))}connection: close\r\n\r\n${body}`);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ error: sentence, code: 'invalid' });
  expect(await files()).toEqual([]);
  expect(complaints()).toEqual([]);
});

test.each(['destroy', 'resetAndDestroy'] as const)(
  'a connection that is lost (%s) leaves no file, and is no unexpected error',
  async (loss) => {
    const socket = open();
    socket.write(`${head('multipart/form-data; boundary=b', 1_000_000)}\r\n${part()}`);
    await expect.poll(async () => (await files()).length).toBe(1);
    const closed = once(socket, 'close');
    socket[loss]();
    await closed;
    await expect.poll(files).toEqual([]);
    // The next request has been answered, and so has been whatever the lost one leaves to be said.
    await app.inject('/api/auth/current-user');
    expect(complaints()).toEqual([]);
  },
);

function open() {
  const { port } = app.server.address() as AddressInfo;
  return connect(port, '127.0.0.1');
}

function head(type: string, length: number): string {
  return [
    'POST /api/domains/upload HTTP/1.1',
    'host: localhost:3000',
    'sec-fetch-site: same-origin',
    `cookie: ${admin.cookie}`,
    `content-type: ${type}`,
    `content-length: ${length}`,
    '',
  ].join('\r\n');
}
