import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderLicensesPage } from './list-licenses.ts';

const root = join(import.meta.dirname, '..');

test('docs/third-party-licenses.md matches package-lock.json: run `npm run licenses` after a change', () => {
  const page = readFileSync(join(root, 'docs/third-party-licenses.md'), 'utf8');
  expect(page).toBe(renderLicensesPage(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))));
});

test('the page lists each package and version once, without packages for development', () => {
  const page = renderLicensesPage({
    packages: {
      '': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', license: 'ISC' },
      'node_modules/@scope/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/b/node_modules/@scope/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/c': { version: '3.0.0', license: 'MIT', dev: true },
    },
  });
  expect(page.split('\n').filter((line) => line.startsWith('| '))).toEqual([
    '| package | version | license |',
    '| @scope/a | 1.0.0 | MIT |',
    '| b | 2.0.0 | ISC |',
  ]);
});

test('a package without a license throws', () => {
  expect(() => renderLicensesPage({ packages: { 'node_modules/b': { version: '2.0.0' } } })).toThrow(
    'b declares no license',
  );
});
