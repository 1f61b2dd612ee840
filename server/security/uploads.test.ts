import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { maxUploadBytes } from '#shared/platform/uploads.ts';
import { openFiles } from '../platform/files/files.ts';
import { createFastify } from '../platform/http/fastify.ts';
import { admitUpload } from '../platform/storage/storage.ts';
import { startTestApp } from '../test-app.fixtures.ts';

const folder = await mkdtemp(join(tmpdir(), 'linksieve-uploads-'));
const files = await openFiles(folder);
const { context } = await startTestApp();
const app = createFastify({
  log: pino({ level: 'silent' }),
  maxUploadBytes,
  maxUploadFiles: 1,
  publicOrigin: undefined,
  trustProxy: 0,
  requestsPerMinute: 1000,
});
app.post('/upload', { config: { access: 'public' } }, async (request) => {
  await using upload = await admitUpload({ ...context, files }, { user: undefined, request }, { field: 'file' });
  const [{ path, bytes, fileName }] = (await upload.receive()).files;
  upload.keep();
  const { size, mode } = await stat(files.locate(path));
  return { path, bytes, fileName, storedBytes: size, mode: mode & 0o777 };
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const uploads = () => readdir(join(folder, 'uploads'));

function send(bytes: number, name = 'list.csv') {
  const head = `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const piece = Buffer.alloc(1024 * 1024, 'a');
  function* body() {
    yield Buffer.from(head);
    for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
    yield Buffer.from('\r\n--b--\r\n');
  }
  return app.inject({
    method: 'POST',
    url: '/upload',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'multipart/form-data; boundary=b' },
    payload: Readable.from(body()),
  });
}

test('accepts a file of exactly 200 MB; one more byte returns 413 and stores nothing', async () => {
  expect(maxUploadBytes).toBe(209_715_200);
  const whole = await send(maxUploadBytes);
  expect([whole.statusCode, whole.json()]).toEqual([
    200,
    expect.objectContaining({ bytes: maxUploadBytes, storedBytes: maxUploadBytes }),
  ]);
  await files.remove(whole.json().path);
  expect((await send(maxUploadBytes + 1)).statusCode).toBe(413);
  expect(await uploads()).toEqual([]);
}, 120_000);

test.each([
  ['../../etc/passwd', 'passwd'],
  ['..\\\\..\\\\boot.ini', 'boot.ini'],
  ['/etc/cron.d/x', 'x'],
  [`${'x'.repeat(5000)}.csv`, 'x'.repeat(255)],
  ['a\u0000b.csv', 'ab.csv'],
])('a file named %j is stored under a random name in the uploads folder', async (name, expectedName) => {
  const { statusCode, body, json } = await send(10, name);
  expect([statusCode, body]).toEqual([200, body]);
  const { path, fileName, mode } = json();
  expect(fileName).toBe(expectedName);
  expect(path).toMatch(/^[\da-f-]{36}$/);
  expect(files.locate(path)).toBe(join(folder, 'uploads', path));
  expect([mode, (await stat(join(folder, 'uploads'))).mode & 0o777]).toEqual([0o600, 0o700]);
  await files.remove(path);
});
