import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openApiDocument } from '#shared/checks/openapi.ts';
import { type Content, listExampleValues } from '#shared/checks/openapi-components.ts';
import type { Operation } from '#shared/checks/openapi-operation.ts';
import type { Endpoint } from '#shared/platform/endpoint.ts';
import { Problem } from '#shared/platform/errors.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const { app, call } = await startTestApp();
const origin = 'https://linksieve.example';
const document = openApiDocument(origin);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
);

/** Every endpoint with the access `key` in the files of the contract. */
async function listKeyEndpoints(): Promise<Endpoint[]> {
  const folder = join(import.meta.dirname, '../../../shared');
  const files = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const modules: Record<string, unknown>[] = await Promise.all(files.map((name) => import(join(folder, name))));
  return modules
    .flatMap((exported) => Object.values(exported))
    .filter((value): value is Endpoint => value instanceof Object && 'access' in value && value.access === 'key');
}

/** As in the document. */
const nameCall = ({ method, path }: Endpoint) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;

test('the document contains every endpoint for API keys, and no other', async () => {
  const names = (await listKeyEndpoints()).map(nameCall);
  expect(names.length).toBeGreaterThan(2);
  expect(operations.map(({ call: name }) => name).sort()).toEqual(names.sort());
});

test('every example matches its schema in the contract, without extra fields', async () => {
  const endpoints = new Map((await listKeyEndpoints()).map((one) => [nameCall(one), one]));
  const expectAccepted = (schema: z.ZodMiniType | undefined, content: Content | undefined) => {
    const values = listExampleValues(content);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(schema && z.parse(schema, value)).toEqual(value);
  };
  for (const { call: name, operation } of operations) {
    const contract = endpoints.get(name);
    if (contract?.body) expectAccepted(contract.body, operation.requestBody?.content);
    for (const [status, response] of listResponses(operation)) {
      if (status === '304' || status === '204') expect(response.content).toBeUndefined();
      else if (response.content && /text\/(csv|plain)/.test(Object.keys(response.content)[0] ?? ''))
        expect(contract?.responses).toBeUndefined();
      else expectAccepted(contract?.responses?.[Number(status)] ?? Problem, response.content);
    }
  }
});

test('every reference resolves, and every field has a description', () => {
  const text = JSON.stringify(document);
  for (const [, path = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = path.split('/').reduce<unknown>((at, key) => at instanceof Object && Reflect.get(at, key), document);
    expect([path, found]).toEqual([path, expect.any(Object)]);
  }
  for (const [name, { description, properties = {} }] of Object.entries(document.components.schemas)) {
    expect([name, description]).toEqual([name, expect.stringMatching(/\.$/)]);
    for (const [field, schema] of Object.entries(properties)) {
      // A named schema has a description of its own.
      if (schema.$ref === undefined)
        expect([name, field, schema.description]).toEqual([name, field, expect.stringMatching(/\.$/)]);
    }
  }
});

test('returns the document to anyone, with the origin of the request', async () => {
  const { statusCode, headers, body } = await call('GET', '/api/openapi.json', { headers: { host: 'links.example' } });
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'access-control-allow-origin': '*' });
  expect(headers['content-type']).toContain('application/json');
  expect(JSON.parse(body)).toEqual(openApiDocument('http://links.example'));
});

test('returns 304 for a known ETag, and compresses the document for clients that accept it', async () => {
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

function listResponses({ responses }: Operation) {
  return Object.entries(responses).map(([status, response]) => {
    const found = '$ref' in response ? document.components.responses[response.$ref.split('/').pop() ?? ''] : response;
    if (!found) throw new Error(`The response for ${status} is missing.`);
    return [status, found] as const;
  });
}
