import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownFormats } from './formats.ts';

test('docs/exports.md lists every known export, with the columns by which it is recognized', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/exports.md'), 'utf8');
  const start = page.indexOf('| tool | report | recognized by |');
  const listed = page
    .slice(start, page.indexOf('\n\n', start))
    .split('\n')
    .slice(2)
    .map((line) => line.slice(2, line.lastIndexOf(' | ')))
    .filter((line) => !/^(CSV file|Plain list|Google) \|/.test(line));
  const quote = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const known = knownFormats.map(({ tool, report, all, any }) =>
    [tool, report, any ? `${quote(all)} and one of ${quote(any)}` : quote(all)].join(' | '),
  );
  expect(listed.sort()).toEqual(known.sort());
});
