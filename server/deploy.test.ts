import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestApp } from './test-app.fixtures.ts';

const { call } = await startTestApp({
  DATABASE_URL: 'postgres://primary.example/linksieve',
  DATABASE_READ_URL: 'postgres://replica.example/linksieve',
});

test.each(['alerts.yml', 'dashboard.json'])('the metrics in deploy/%s exist', async (file) => {
  const text = await readFile(join(import.meta.dirname, '../deploy', file), 'utf8');
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
