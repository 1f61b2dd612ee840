import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

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

const listFiles = () => readdir(join(context.config.dataDir, 'uploads'));
/** Log lines above 'info'. */
const listWarnings = () => lines.filter(({ level }) => level > 30);
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
  ['an incomplete file', 'multipart/form-data; boundary=b', part(), 'The upload was interrupted. Please try again.'],
  [
    'an incomplete file in another field',
    'multipart/form-data; boundary=b',
    part('other'),
    'The upload was interrupted. Please try again.',
  ],
  [
    'a form that ends after its file',
    'multipart/form-data; boundary=b',
    `${part()}\r\n${field}`,
    'The upload was interrupted. Please try again.',
  ],
  ['two files', 'multipart/form-data; boundary=b', `${part()}\r\n${part()}\r\n--b--\r\n`, 'Please send one file.'],
  [
    'two files in two fields',
    'multipart/form-data; boundary=b',
    `${part('other')}\r\n${part()}\r\n--b--\r\n`,
    'Please send one file.',
  ],
  ['an empty body', 'multipart/form-data; boundary=b', '', 'Please choose a file.'],
])('%s returns 400 and leaves no file', async (_what, type, body, sentence) => {
  const socket = open();
  socket.write(`${head(type, Buffer.byteLength(body))}connection: close\r\n\r\n${body}`);
  const response = await text(socket);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toMatchObject({ error: sentence, code: 'invalid' });
  expect(await listFiles()).toEqual([]);
  expect(listWarnings()).toEqual([]);
});

test.each(['destroy', 'resetAndDestroy'] as const)(
  'a lost connection (%s) leaves no file and logs no error',
  async (loss) => {
    const socket = open();
    socket.write(`${head('multipart/form-data; boundary=b', 1_000_000)}\r\n${part()}`);
    await expect.poll(async () => (await listFiles()).length).toBe(1);
    const closed = once(socket, 'close');
    socket[loss]();
    await closed;
    await expect.poll(listFiles).toEqual([]);
    // Once this request is done, the lost one has written its log lines.
    await app.inject('/api/auth/current-user');
    expect(listWarnings()).toEqual([]);
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
