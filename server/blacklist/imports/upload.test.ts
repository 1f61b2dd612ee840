import { readdir } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { maxUploadBytes } from '#shared/platform/uploads.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { importJob } from './jobs.ts';

const { app, call, context, signUp } = await startTestApp({}, { work: [importJob] });
const admin = await signUp({ admin: true });
await app.listen({ port: 0, host: '127.0.0.1' });
const files = () => readdir(join(context.config.dataDir, 'uploads'));
const imports = async () => (await call('GET', '/api/domains/imports', { as: admin.cookie })).json();

const boundary = 'a-boundary-that-no-file-contains';
const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="list.csv"\r\n\r\ndomain,source\n`;

test('a file above the limit is rejected and leaves nothing behind', async () => {
  const sent = openUpload();
  const response = readResponse(sent);
  const rows = Buffer.from('some-name.example,A source\n'.repeat(40_000));
  function* body() {
    yield head;
    for (let bytes = 0; bytes <= maxUploadBytes; bytes += rows.length) yield rows;
    yield `\r\n--${boundary}--\r\n`;
  }
  await pipeline(Readable.from(body()), sent).catch(() => undefined);
  const { status, body: responseBody } = await response;
  expect([status, responseBody.error]).toEqual([413, 'File size exceeds the limit (200MB)']);
  expect([await files(), await imports()]).toEqual([[], []]);
}, 60_000);

test('an aborted upload leaves no file and no import', async () => {
  const sent = openUpload();
  sent.on('error', () => undefined);
  sent.write(head);
  sent.write('some-name.example,A source\n'.repeat(40_000));
  await expect.poll(async () => (await files()).length).toBe(1);
  sent.destroy();
  await expect.poll(files).toEqual([]);
  expect(await imports()).toEqual([]);
});

test('an upload over a real connection is imported completely', async () => {
  const sent = openUpload();
  const response = readResponse(sent);
  sent.end(`${head}${'some-name.example,A source\n'.repeat(20_000)}other.example,B\r\n--${boundary}--\r\n`);
  const { status, body } = await response;
  expect([200, 202]).toContain(status);
  await expect.poll(async () => (await imports())[0].status).toBe('completed');
  expect((await imports())[0]).toMatchObject({ jobId: body.jobId, processedCount: 20_001, imported: 2 });
  // The file is removed after the status is written.
  await expect.poll(files).toEqual([]);
});

test('a form without a file returns 400', async () => {
  const response = await call('POST', '/api/domains/upload', {
    as: admin.cookie,
    payload: `--${boundary}\r\ncontent-disposition: form-data; name="userIsAdmin"\r\n\r\ntrue\r\n--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  expect([response.statusCode, response.json().error]).toEqual([400, 'Please choose a file.']);
});

test('a file in another field is rejected and leaves nothing behind', async () => {
  const response = await call('POST', '/api/domains/upload', {
    as: admin.cookie,
    payload: `${head.replace('name="file"', 'name="other"')}a.example,One\r\n--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  expect(response.statusCode).toBe(400);
  expect(await files()).toEqual([]);
});

function openUpload(): ClientRequest {
  const { port } = app.server.address() as AddressInfo;
  return request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/domains/upload',
    headers: {
      host: 'localhost:3000',
      cookie: admin.cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  });
}

function readResponse(
  sent: ClientRequest,
): Promise<{ status: number | undefined; body: { error: string; jobId: string } }> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', async (response) => {
      const chunks = await Array.fromAsync(response);
      resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) });
    });
  });
}
