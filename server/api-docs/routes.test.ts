import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from '#shared/endpoint.ts';
import { ErrorBody } from '#shared/errors.ts';
import { type Operation, openApiDocument } from '#shared/openapi.ts';
import type { JsonContent } from '#shared/openapi-components.ts';
import { startTestApp } from '../test-app.fixtures.ts';

const { app, call } = await startTestApp();
const origin = 'https://linksieve.example';
const document = openApiDocument(origin);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
);

/** Every call for key holders, in whichever file of the contract. */
async function keyEndpoints(): Promise<Endpoint[]> {
  const folder = join(import.meta.dirname, '../../shared');
  const files = (await readdir(folder)).filter((name) => /^[a-z-]+\.ts$/.test(name));
  const modules: Record<string, unknown>[] = await Promise.all(files.map((name) => import(join(folder, name))));
  return modules
    .flatMap((exported) => Object.values(exported))
    .filter((value): value is Endpoint => value instanceof Object && 'access' in value && value.access === 'key');
}

test('every call for key holders stands in the document, and no other', async () => {
  const names = (await keyEndpoints()).map(({ method, path }) => `${method} ${path}`);
  expect(names.length).toBeGreaterThan(2);
  expect(operations.map(({ call: name }) => name).sort()).toEqual(names.sort());
});

test('every example is what its schema of the contract accepts, with nothing beside it', async () => {
  const endpoints = new Map((await keyEndpoints()).map((one) => [`${one.method} ${one.path}`, one]));
  const expectAccepted = (schema: z.ZodMiniType | undefined, content: JsonContent | undefined) => {
    const values = Object.values(content?.['application/json'].examples ?? {}).map(({ value }) => value);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(schema && z.parse(schema, value)).toEqual(value);
  };
  for (const { call: name, operation } of operations) {
    const contract = endpoints.get(name);
    if (contract?.body) expectAccepted(contract.body, operation.requestBody?.content);
    for (const [status, answer] of answersOf(operation)) {
      if (status === '304') expect(answer.content).toBeUndefined();
      else expectAccepted(contract?.responses?.[Number(status)] ?? ErrorBody, answer.content);
    }
  }
});

test('every reference leads to something, and every field has words', () => {
  const text = JSON.stringify(document);
  for (const [, path = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = path.split('/').reduce<unknown>((at, key) => at instanceof Object && Reflect.get(at, key), document);
    expect([path, found]).toEqual([path, expect.any(Object)]);
  }
  for (const [name, { description, properties = {} }] of Object.entries(document.components.schemas)) {
    expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
    for (const [field, schema] of Object.entries(properties)) {
      expect([name, field, schema.description]).toEqual([name, field, expect.stringMatching(/\.$/)]);
    }
  }
});

test('anybody gets the document, with the address that people type', async () => {
  const { statusCode, headers, body } = await call('GET', '/api/openapi.json', { headers: { host: 'links.example' } });
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'access-control-allow-origin': '*' });
  expect(headers['content-type']).toContain('application/json');
  expect(JSON.parse(body)).toEqual(openApiDocument('http://links.example'));
});

test('who has the document is not sent it again, and who can unpack it gets it packed', async () => {
  const { headers } = await call('GET', '/api/openapi.json');
  const again = { 'if-none-match': String(headers.etag) };
  const same = await call('GET', '/api/openapi.json', { headers: again });
  expect([same.statusCode, same.body]).toEqual([304, '']);
  const elsewhere = await call('GET', '/api/openapi.json', { headers: { ...again, host: 'other.example' } });
  expect(elsewhere.statusCode).toBe(200);
  const packed = await app.inject({ url: '/api/openapi.json', headers: { 'accept-encoding': 'br' } });
  expect(packed.headers['content-encoding']).toBe('br');
  expect(JSON.parse(brotliDecompressSync(packed.rawPayload).toString()).openapi).toMatch(/^3\.1\./);
});

function answersOf({ responses }: Operation) {
  return Object.entries(responses).map(([status, answer]) => {
    const found = '$ref' in answer ? document.components.responses[answer.$ref.split('/').pop() ?? ''] : answer;
    if (!found) throw new Error(`There is no answer for ${status}.`);
    return [status, found] as const;
  });
}
