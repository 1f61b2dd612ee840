import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { apiKeyScopes } from '#shared/accounts/api-key-scopes.ts';
import { openApiDocument } from '#shared/checks/openapi.ts';
import { listExampleValues } from '#shared/checks/openapi-components.ts';
import { apiKeyPlaceholder, exampleDomains } from '#shared/checks/openapi-examples.ts';
import { monthPrograms, websitePlaceholder } from '#shared/checks/openapi-month.ts';
import type { Operation } from '#shared/checks/openapi-operation.ts';
import { analysisJobs } from '../../reports/backlinks/jobs.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const { app, call, context, signUp } = await startTestApp({}, { work: analysisJobs });
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;
const admin = await signUp({ admin: true });
await call('POST', '/api/domains', { as: admin.cookie, body: { domain: exampleDomains.listed, source: 'a, b, c' } });
const key: string = (await call('POST', '/api/api-keys', { as: admin.cookie, body: { scopes: apiKeyScopes } })).json()
  .keyValue;
const folder = await mkdtemp(join(tmpdir(), 'linksieve-samples-'));
afterAll(() => rm(folder, { recursive: true }));

/** How to run each language. `needs` is the program that must be installed. */
const runners: Record<string, { program: string; needs: string; file: string }> = {
  shell: { program: 'sh', needs: 'jq', file: 'sample.sh' },
  TypeScript: { program: process.execPath, needs: process.execPath, file: 'sample.ts' },
  curl: { program: 'sh', needs: 'curl', file: 'sample.sh' },
  JavaScript: { program: process.execPath, needs: process.execPath, file: 'sample.mjs' },
  Python: { program: 'python3', needs: 'python3', file: 'sample.py' },
};

const origin = `http://127.0.0.1:${port}`;

// The samples of the other calls are written by the same function, for objects that this server does not have.
const samples = Object.entries(openApiDocument(origin).paths).flatMap(([path, methods]) =>
  Object.values(methods)
    .filter(({ tags }) => tags.some((tag) => tag === 'Checks' || tag === 'Usage'))
    .flatMap((operation) =>
      operation['x-codeSamples'].map(({ label, source }) => ({
        name: `${label} example for ${path}`,
        label,
        source,
        operation,
      })),
    ),
);

test.for(samples)('the $name works with a real key', async ({ label, source, operation }, { skip }) => {
  const { code, stdout } = await run(label, source, key, skip);
  expect(code).toBe(0);
  const { names, text } = readExamples(operation);
  for (const name of names) expect(stdout).toContain(name);
  if (text) {
    expect(stdout).toContain(`${exampleDomains.subdomain},true,${exampleDomains.listed},`);
  } else if (operation.operationId !== 'getUsage') {
    expect(stdout).toMatch(/matchedDomain\W+paidlinks\.example/);
    expect(stdout).toMatch(/listed\W+true/i);
  }
});

test.for(samples)('the $name prints the error of a refused call', async ({ label, source }, { skip }) => {
  const { code, stdout, stderr } = await run(label, source, 'lsv_made-up', skip);
  expect(stdout + stderr).toContain('This API key is not valid. Copy it again');
  if (label !== 'curl') expect(code).toBe(1);
  if (label === 'Python') expect(stderr).not.toContain('Traceback');
});

const programs = monthPrograms(origin);

test.for([
  ['shell', programs.curl],
  ['TypeScript', programs.typescript],
  ['Python', programs.python],
] as const)('the %s program of the guide does the work of a month', async ([label, source], { skip }) => {
  const domain = `${label.toLowerCase()}.example`;
  const website = (await call('POST', '/api/profiles', { as: admin.cookie, body: { domain } })).json();
  await context.db.updateTable('domains').set({ risk_level: 3 }).where('name', '=', exampleDomains.listed).execute();
  await writeFile(join(folder, 'links.csv'), `Source URL\nhttps://${exampleDomains.listed}/${label}\n`);
  const { code, stderr } = await run(label, source.replace(websitePlaceholder, website.id), key, skip);
  expect([code, stderr]).toEqual([0, '']);
  expect(await readFile(join(folder, 'disavow.txt'), 'utf8')).toContain(`domain:${exampleDomains.listed}\n`);
});

/** Runs a program with a key in place of the placeholder. Returns its output and its exit code. */
async function run(label: string, source: string, value: string, skip: (why: string) => void) {
  const runner = runners[label];
  if (!runner) throw new Error(`There is no runner for ${label}.`);
  const { program, needs, file } = runner;
  if (spawnSync(needs, ['--version']).status !== 0) skip(`${needs} is not installed.`);
  expect(source).toContain(apiKeyPlaceholder);
  const path = join(folder, file);
  await writeFile(path, source.replaceAll(apiKeyPlaceholder, value));
  return promisify(execFile)(program, [path], { cwd: folder }).then(
    (printed) => ({ code: 0, ...printed }),
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  );
}

/** The top-level field names in the examples of the response, or the columns and the text of a CSV file. */
function readExamples({ responses }: Operation): { names: string[]; text?: string } {
  const response = responses[200];
  const values = response && 'content' in response ? listExampleValues(response.content) : [];
  const [text] = values.filter((value) => typeof value === 'string');
  const names = text?.split('\r\n')[0]?.split(',') ?? values.flatMap((value) => Object.keys(value as object));
  expect(names.length).toBeGreaterThan(2);
  return { names, text };
}
