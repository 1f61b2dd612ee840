import { expect, test } from 'vitest';
import { type DisavowDecisions, mergeFile } from './merge.ts';
import { parseLines } from './parse.ts';

const merge = (
  lines: readonly string[],
  decisions: Partial<DisavowDecisions>,
  limits?: { lines: number; bytes: number },
) =>
  mergeFile(
    parseLines(lines.join('\n')),
    { keep: [], disavow: [], website: 'own.example', ...decisions },
    '2026-11-25',
    limits,
  );

/** Each line with its state and its reason. */
const describeLines = (merged: ReturnType<typeof merge>) =>
  merged.lines.map((line) => [line.state, ...('reason' in line ? [line.reason] : [])]);

test('the merged file keeps comments and the order of the lines, and adds the new domains sorted under a comment', () => {
  const merged = merge(
    ['# Checked by Ada', 'DOMAIN: WWW.Two.test', '', '  # Pages', 'http://One.test/Page', 'three.test'],
    { disavow: ['z.test', 'a.test'] },
  );
  expect(merged.text).toBe(
    [
      '# Checked by Ada',
      'domain:two.test',
      '',
      '# Pages',
      'http://one.test/Page',
      '# Added by Linksieve on 2026-11-25',
      'domain:a.test',
      'domain:z.test',
      '',
    ].join('\n'),
  );
  expect([merged.added, merged.lineCount, merged.bytes]).toEqual([['a.test', 'z.test'], 8, merged.text.length]);
});

test('the lines of a later merge on the same day get no second comment', () => {
  const first = merge(['domain:one.test'], { disavow: ['b.test'] });
  const second = merge(first.text.split('\n').slice(0, -1), { disavow: ['b.test', 'a.test'] });
  expect(second.text.match(/# Added/g)).toHaveLength(1);
  expect(second.text.split('\n').slice(-4)).toEqual([
    '# Added by Linksieve on 2026-11-25',
    'domain:b.test',
    'domain:a.test',
    '',
  ]);
});

test('a line is redundant if an earlier line is the same, or if the line of a domain covers it from anywhere', () => {
  const merged = merge(
    [
      'domain:a.one.test',
      'domain:one.test',
      'domain:ONE.test',
      'http://b.one.test/',
      'http://two.test/a#x',
      'http://two.test/a',
      'http://www.two.test/a',
    ],
    {},
  );
  expect(describeLines(merged)).toEqual([
    ['redundant', 'Line 2, “domain:one.test”, covers it.'],
    ['valid'],
    ['redundant', 'Line 2 has the same entry.'],
    ['redundant', 'Line 2, “domain:one.test”, covers it.'],
    ['valid'],
    ['redundant', 'Line 5 has the same entry.'],
    ['valid'],
  ]);
});

test('a line that an added domain covers is redundant, and the merged file leaves it out', () => {
  const merged = merge(['domain:a.one.test', 'http://one.test/page'], { disavow: ['one.test'] });
  const reason = '“domain:one.test”, which the merged file adds, covers it.';
  expect(describeLines(merged)).toEqual([
    ['redundant', reason],
    ['redundant', reason],
  ]);
  expect(merged.text).toBe('# Added by Linksieve on 2026-11-25\ndomain:one.test\n');
});

test('lines that disavow a kept domain are taken back, but not those of its subdomains', () => {
  const merged = merge(
    [
      'domain:kept.test',
      'domain:kept.test',
      'http://www.kept.test/a',
      'http://sub.kept.test/a',
      'domain:sub.kept.test',
      'domain:parent.test',
      'http://parent.test/a',
    ],
    { keep: ['kept.test', 'deep.below.parent.test'] },
  );
  expect(describeLines(merged)).toEqual([
    ['takenBack', 'You decided to keep kept.test.'],
    ['takenBack', 'You decided to keep kept.test.'],
    ['takenBack', 'You decided to keep kept.test.'],
    ['redundant', 'Line 5, “domain:sub.kept.test”, covers it.'],
    ['valid'],
    ['takenBack', 'You decided to keep deep.below.parent.test.'],
    ['valid'],
  ]);
  expect(merged.text).toBe('domain:sub.kept.test\nhttp://parent.test/a\n');
});

test('a line is not redundant because of a line that is taken back', () => {
  const merged = merge(['domain:one.test', 'domain:other.one.test', 'http://one.test/a'], { keep: ['kept.one.test'] });
  expect(describeLines(merged)).toEqual([['takenBack', 'You decided to keep kept.one.test.'], ['valid'], ['valid']]);
});

test('a domain to disavow is not added if it would disavow a kept one', () => {
  const merged = merge([], { keep: ['kept.one.test'], disavow: ['one.test', 'other.one.test', 'a.other.one.test'] });
  expect(merged.added).toEqual(['other.one.test']);
  expect(merged.conflicts).toEqual([{ domain: 'one.test', kept: 'kept.one.test' }]);
});

test('a domain that the file covers, or that has no valid line, adds nothing', () => {
  const merged = merge(['domain:one.test'], { disavow: ['one.test', 'sub.one.test', 'co.uk', 'no domain'] });
  expect([merged.added, merged.text]).toEqual([[], 'domain:one.test\n']);
});

test('an empty file and no decisions give an empty file', () => {
  expect(merge([], {})).toMatchObject({ text: '', lineCount: 0, bytes: 0, added: [] });
});

test('above 100,000 lines the most important domains are added, and the rest is counted', () => {
  const existing = Array.from({ length: 99_990 }, (_, i) => `domain:d${i}.de`);
  const disavow = Array.from({ length: 20 }, (_, i) => `wanted${20 - i}.test`);
  const merged = merge(existing, { disavow });
  expect([merged.lineCount, merged.leftOut]).toEqual([100_000, 11]);
  expect(merged.added).toEqual(disavow.slice(0, 9).sort());
  const again = merge(merged.text.split('\n').slice(0, -1), { disavow });
  expect([again.text === merged.text, again.added, again.leftOut]).toEqual([true, [], 11]);
});

test('above 2,000,000 bytes the most important domains are added', () => {
  const name = (text: string, i: number) => `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${text}${i}.test`;
  const existing = Array.from({ length: 9600 }, (_, i) => `domain:${name('existing', i)}`);
  const disavow = Array.from({ length: 200 }, (_, i) => name('wanted', i));
  const merged = merge(existing, { disavow });
  expect(merged.bytes).toBeLessThanOrEqual(2_000_000);
  expect(merged.bytes).toBeGreaterThan(2_000_000 - 250);
  expect(merged.added).toEqual(disavow.slice(0, merged.added.length).sort());
  expect(merged.added.length + merged.leftOut).toBe(200);
});

test('lines that are already in the file are never left out because of a limit', () => {
  const lines = ['domain:a.test', 'domain:b.test', 'domain:c.test'];
  const merged = merge(lines, { disavow: ['d.test'] }, { lines: 2, bytes: 1000 });
  expect(merged).toMatchObject({ lineCount: 3, added: [], leftOut: 1 });
});
