import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('a type check writes its build info to node_modules, so that it does not trigger a build at the next start', () => {
  const folders = globSync(['tsconfig.json', '*/tsconfig.json'], { cwd: root }).map((path) => join(root, path, '..'));
  expect(folders).toContain(join(root, 'web'));
  const written = folders.map((folder) => {
    const { compilerOptions } = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8'));
    return resolve(folder, compilerOptions.tsBuildInfoFile ?? '');
  });
  for (const path of written) expect(path).toContain(join(root, 'node_modules'));
  expect(new Set(written).size).toBe(written.length);
});
