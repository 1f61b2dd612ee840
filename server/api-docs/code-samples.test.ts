import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { type Operation, openApiDocument } from '#shared/openapi.ts';
import { exampleNames, keyPlaceholder } from '#shared/openapi-examples.ts';
import { startTestApp } from '../test-app.fixtures.ts';

const { app, call, signUp } = await startTestApp();
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;
const admin = await signUp({ admin: true });
await call('POST', '/api/domains', { as: admin.cookie, body: { domain: exampleNames.listed, source: 'a, b, c' } });
const key: string = (await call('POST', '/api/api-keys', { as: admin.cookie, body: {} })).json().keyValue;
const folder = await mkdtemp(join(tmpdir(), 'linksieve-samples-'));
afterAll(() => rm(folder, { recursive: true }));

/** What each language is run with, and what has to be on the machine for it. */
const runners: Record<string, { program: string; needs: string; file: string }> = {
  curl: { program: 'sh', needs: 'curl', file: 'sample.sh' },
  JavaScript: { program: process.execPath, needs: process.execPath, file: 'sample.mjs' },
  Python: { program: 'python3', needs: 'python3', file: 'sample.py' },
};

const samples = Object.entries(openApiDocument(`http://127.0.0.1:${port}`).paths).flatMap(([path, methods]) =>
  Object.values(methods).flatMap((operation) =>
    operation['x-codeSamples'].map(({ label, source }) => ({ name: `${label} for ${path}`, label, source, operation })),
  ),
);

test.for(samples)(
  'the example in $name works as it stands, with a key in its place',
  async ({ label, source, operation }, { skip }) => {
    const { code, stdout } = await run(label, source, key, skip);
    expect(code).toBe(0);
    for (const name of fieldsOf(operation)) expect(stdout).toContain(name);
    if (operation.operationId !== 'readUsage') {
      expect(stdout).toMatch(/matchedDomain\W+links-for-sale\.example/);
      expect(stdout).toMatch(/listed\W+true/i);
    }
  },
);

test.for(samples)('the example in $name shows the sentence of a refusal', async ({ label, source }, { skip }) => {
  const { code, stdout, stderr } = await run(label, source, 'lsv_made-up', skip);
  expect(stdout + stderr).toContain('This API key is not valid. Please copy it again');
  if (label !== 'curl') expect(code).toBe(1);
  if (label === 'Python') expect(stderr).not.toContain('Traceback');
});

/** What a program prints with that key in the place of the placeholder, and how it ends. */
async function run(label: string, source: string, value: string, skip: (why: string) => void) {
  const runner = runners[label];
  if (!runner) throw new Error(`Nobody knows how to run ${label}.`);
  const { program, needs, file } = runner;
  if (spawnSync(needs, ['--version']).status !== 0) skip(`${needs} is not on this machine.`);
  expect(source).toContain(keyPlaceholder);
  const path = join(folder, file);
  await writeFile(path, source.replaceAll(keyPlaceholder, value));
  return promisify(execFile)(program, [path]).then(
    (printed) => ({ code: 0, ...printed }),
    (failure: { code: number; stdout: string; stderr: string }) => failure,
  );
}

/** The names in the example of the answer. */
function fieldsOf({ responses }: Operation): string[] {
  const answer = responses[200];
  const examples =
    answer && 'content' in answer ? Object.values(answer.content?.['application/json'].examples ?? {}) : [];
  const names = examples.flatMap(({ value }) => Object.keys(value as object));
  expect(names.length).toBeGreaterThan(2);
  return names;
}
