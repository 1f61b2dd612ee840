import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { apiKeyScopes } from '#shared/accounts/api-key-scopes.ts';
import { analysisJobs } from '../../reports/backlinks/jobs.ts';
import { matchChanges } from '../../reports/watch/match-changes.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const { app, call, context, signUp } = await startTestApp({}, { work: analysisJobs });
await app.listen({ port: 0, host: '127.0.0.1' });
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const root = join(import.meta.dirname, '../../..');
// Below the packages of the project, which the program imports.
const folder = await mkdtemp(join(root, 'node_modules/typed-client-'));
afterAll(() => rm(folder, { recursive: true }));

/** openapi-typescript needs TypeScript 5, so it is in a package of its own. */
const generator = join(root, 'typed-client/node_modules/openapi-typescript/bin/cli.js');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const options =
  '--strict --module nodenext --target es2024 --lib es2024,dom --types node --skipLibCheck --ignoreConfig'.split(' ');

const websiteCount = 20;

const node = (...parameters: string[]) => promisify(execFile)(process.execPath, parameters, { cwd: folder });

/**
 * A month of an agency: it adds websites, analyzes an export of each, decides, and fetches the disavow files. With
 * `alerts`, it lists the alerts instead. Each call has the types of the document.
 */
const program = `import { setTimeout } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const [baseUrl = '', key = '', part = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });

async function work(domain: string) {
  const { data: website, error } = await api.POST('/api/v1/websites', { body: { domain } });
  if (!website) throw new Error(error.detail);
  const params = { path: { id: website.id } };

  const started = await api.POST('/api/v1/websites/{id}/analyses', {
    params,
    body: { file: ['Source URL\\nhttps://sold.example/a\\nhttps://clean.example/b\\n'] },
    bodySerializer({ file: [text = ''] = [] }) {
      const form = new FormData();
      form.append('file', new Blob([text]), 'links.csv');
      return form;
    },
  });
  if (!started.data) throw new Error(started.error.detail);
  const analysis = { path: { id: started.data.id } };

  let state = (await api.GET('/api/v1/analyses/{id}', { params: analysis })).data;
  while (state?.status === 'processing') {
    await setTimeout(50);
    state = (await api.GET('/api/v1/analyses/{id}', { params: analysis })).data;
  }
  const path = { id: state?.reportId ?? 0 };
  const { data: figures } = await api.GET('/api/v1/reports/{id}', { params: { path } });
  const { data: page } = await api.GET('/api/v1/reports/{id}/domains', {
    params: { path, query: { decision: 'undecided' } },
  });
  const decisions = (page?.data ?? []).map(({ domain }) => ({ domain, decision: 'disavow' as const }));
  const { data: decided } = await api.PUT('/api/v1/websites/{id}/decisions', { params, body: { decisions } });
  const { data: file } = await api.GET('/api/v1/websites/{id}/disavow.txt', { params, parseAs: 'text' });
  return { status: state?.status, domain: figures?.domain, decided, file };
}

if (part === 'alerts') {
  const { data } = await api.GET('/api/v1/alerts', { params: { query: { limit: 100 } } });
  console.log(JSON.stringify(data?.data.map(({ website, domain, event }) => [website, domain, event])));
} else {
  const results: Awaited<ReturnType<typeof work>>[] = [];
  for (let at = 0; at < ${websiteCount}; at += 2)
    results.push(...(await Promise.all([at, at + 1].map((i) => work(\`client-\${i}.example\`)))));
  const missing = await api.GET('/api/v1/reports/{id}', { params: { path: { id: 999_999 } } });
  console.log(JSON.stringify({ results, code: missing.error?.code }));
}
`;

test('a client that is generated from the document compiles, and does the month of an agency with 20 websites', {
  timeout: 180_000,
}, async () => {
  const { cookie } = await signUp({ admin: true });
  const list = (domain: string) => call('POST', '/api/domains', { as: cookie, body: { domain, source: 'a, b, c, d' } });
  await list('sold.example');
  const created = await call('POST', '/api/api-keys', { as: cookie, body: { scopes: apiKeyScopes } });
  await node(generator, `${origin}/api/openapi.json`, '--output', join(folder, 'api.ts'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'month.ts'), program);
  await node(compiler, ...options, '--outDir', 'compiled', 'month.ts');
  const run = async (part: string) =>
    JSON.parse((await node('compiled/month.js', origin, created.json().keyValue, part)).stdout);
  const websites = Array.from({ length: websiteCount }, (_, i) => `client-${i}.example`);
  expect(await run('month')).toEqual({
    results: websites.map((domain) => ({
      status: 'completed',
      domain,
      decided: { changed: 1 },
      file: expect.stringContaining('domain:sold.example\n'),
    })),
    code: 'not_found',
  });
  await list('clean.example');
  await matchChanges(context, { now: new Date() });
  expect((await run('alerts')).toSorted()).toEqual(
    websites.map((website) => [website, 'clean.example', 'listed']).toSorted(),
  );
});

test('a call with a wrong field does not compile', { timeout: 180_000 }, async () => {
  await writeFile(join(folder, 'wrong.ts'), program.replace('body: { domain }', 'body: { name: domain }'));
  await expect(node(compiler, ...options, '--noEmit', 'wrong.ts')).rejects.toMatchObject({
    stdout: expect.stringContaining("'name' does not exist"),
  });
});
