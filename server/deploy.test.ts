import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestApp } from './test-app.fixtures.ts';

const { call } = await startTestApp({
  DATABASE_URL: 'postgres://primary.example/linksieve',
  DATABASE_READ_URL: 'postgres://replica.example/linksieve',
});

const read = (path: string) => readFile(join(import.meta.dirname, '..', path), 'utf8');

test('the service and the image start what npm start does, with settings that exist', async () => {
  const { start } = JSON.parse(await read('package.json')).scripts;
  const [, command] = /^ExecStart=(.*)$/m.exec(await read('deploy/linksieve.service')) ?? [];
  expect(command?.replace(/^\S+\/node --env-file=\/etc\/linksieve\.env/, 'node')).toBe(start);
  const [, image] = /^CMD (.*)$/m.exec(await read('Dockerfile')) ?? [];
  expect(JSON.parse(image ?? '').join(' ')).toBe(start);
  const names = [...(await read('deploy/linksieve.env')).matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  const settings = await read('docs/settings.md');
  expect(names).toContain('DATA_DIR');
  expect(names.filter((name) => !settings.includes(`\`${name}`))).toEqual([]);
});

test('every action and every image is pinned by its digest, with its version beside it', async () => {
  const workflows = await Promise.all(
    (await readdir(join(import.meta.dirname, '../.github/workflows'))).map((name) => read(`.github/workflows/${name}`)),
  );
  const actions = workflows.flatMap((text) => [...text.matchAll(/\buses: *(.*)$/gm)].map(([, action = '']) => action));
  expect(actions.length).toBeGreaterThan(2);
  for (const action of actions) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const stages = [...(await read('Dockerfile')).matchAll(/^FROM (\S+)(?: AS (\w+))?$/gm)];
  const names = stages.map(([, , name]) => name);
  const images = stages.map(([, image = '']) => image).filter((image) => !names.includes(image));
  expect(images.length).toBeGreaterThan(0);
  for (const image of images) expect(image).toMatch(/^[\w./-]+:\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/);
  expect(await read('compose.yaml')).not.toMatch(/^ *image:/m);
});

test.each(['alerts.yml', 'dashboard.json'])('the metrics in deploy/%s exist', async (file) => {
  const text = await read(`deploy/${file}`);
  const used = new Set(text.match(/\b(?:linksieve|http|db_pool|requests|process)_[a-z_]+/g));
  expect(used.size).toBeGreaterThan(8);
  const metrics = (await call('GET', '/metrics')).body;
  const names = new Set(
    [...metrics.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`] : [name],
    ),
  );
  expect([...used].filter((name) => !names.has(name))).toEqual([]);
});
