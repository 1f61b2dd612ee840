import fc from 'fast-check';
import { expect, test } from 'vitest';
import { riskLevels } from '#shared/blacklist/domains.ts';
import { buildDisavowText } from './disavow.ts';

const buildList = (names: string[]) => ({
  website: 'site.example',
  day: '2024-01-05',
  riskLevels,
  names,
  ownCount: 0,
  keptCount: 0,
  protectedCount: 0,
});

/** Checks the limits of Google's disavow tool and our stricter format. @returns the problems found */
function findProblems(text: string): string[] {
  const found: string[] = [];
  if (Buffer.byteLength(text) > 2_000_000) found.push('above 2,000,000 bytes');
  if (/[^\n\x20-\x7e]/.test(text)) found.push('characters other than printable ASCII and LF');
  if (!text.endsWith('\n')) found.push('no line end at the end of the file');
  const lines = text.slice(0, -1).split('\n');
  if (lines.length > 100_000) found.push('above 100,000 lines');
  const domains = lines.filter((line) => !line.startsWith('#'));
  for (const line of domains) {
    const name = /^domain:((?:[a-z0-9_-]{1,63}\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]+))$/.exec(line)?.[1];
    if (name === undefined || name.length > 253 || name.startsWith('www.')) found.push(line);
  }
  if (domains.some((line, i) => i > 0 && line <= (domains[i - 1] ?? ''))) found.push('unsorted or duplicate lines');
  return found;
}

test('the file is valid and sorted, with comments that describe it', async () => {
  const text = buildDisavowText(buildList(['very.test', 'xn--mller-kva.example', 'a-1.sub.test']));
  expect(findProblems(text)).toEqual([]);
  expect(text).toBe(
    [
      '# Domains with harmful backlinks to site.example',
      '# Linksieve report of 2024-01-05',
      '# Uploading this file replaces your current disavow list: copy the lines of your current list into this file first.',
      'domain:a-1.sub.test',
      'domain:very.test',
      'domain:xn--mller-kva.example',
      '',
    ].join('\n'),
  );
});

test('a report without toxic domains returns a valid file with only comments', async () => {
  expect(findProblems(buildDisavowText(buildList([])))).toEqual([]);
});

test('above 100,000 lines the domains with the lowest risk are left out, and a comment has their number', async () => {
  const names = Array.from({ length: 120_000 }, (_, i) => `d${i}.test`);
  const text = buildDisavowText(buildList(names));
  expect(findProblems(text)).toEqual([]);
  const kept = new Set(text.match(/^domain:.*$/gm));
  expect(kept.size).toBe(99_996);
  expect(kept.has('domain:d99995.test') && !kept.has('domain:d99996.test')).toBe(true);
  expect(text).toContain(
    '\n# Disavow files have a size limit. This file leaves out the 20,004 domains with the lowest risk.\n',
  );
});

test('a comment has the selected risk levels if the file does not have all of them', async () => {
  expect(buildDisavowText(buildList(['one.test']))).not.toContain('Risk levels');
  const text = buildDisavowText({
    ...buildList(Array.from({ length: 120_000 }, (_, i) => `d${i}.test`)),
    riskLevels: ['high', 'very high'],
  });
  expect(text).toContain('\n# Risk levels: very high, high\n');
  expect(findProblems(text)).toEqual([]);
});

test('a comment says how many selected domains are protected', async () => {
  const text = buildDisavowText({ ...buildList(['one.test']), keptCount: 0, protectedCount: 1 });
  expect(text).toContain(
    '\n# This file leaves out 1 domain that is a well-known site, a public institution, or protected by an admin.\n',
  );
  const many = buildDisavowText({
    ...buildList(Array.from({ length: 120_000 }, (_, i) => `d${i}.test`)),
    keptCount: 0,
    protectedCount: 1200,
  });
  expect(many).toContain('\n# This file leaves out 1,200 domains that are well-known sites, public institutions,');
  expect(findProblems(many)).toEqual([]);
});

test('above 2,000,000 bytes the domains with the lowest risk are left out', async () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `${'x'.repeat(60)}.${'y'.repeat(60)}.d${i}.test`);
  const text = buildDisavowText(buildList(names));
  expect(findProblems(text)).toEqual([]);
  const kept = text.match(/^domain:/gm)?.length ?? 0;
  expect(text).toContain(`leaves out the ${(20_000 - kept).toLocaleString('en-US')} domains with the lowest risk`);
  expect(text.length).toBeGreaterThan(1_990_000);
});

test('a subdomain gets no line below the line of its parent, which takes its place in the order', async () => {
  const names = ['deep.sub.one.test', 'two.test', 'sub.one.test', 'x.two.test', 'one.test', 'blog.wordpress.com'];
  expect(buildDisavowText(buildList(names)).match(/^domain:.*$/gm)).toEqual([
    'domain:blog.wordpress.com',
    'domain:one.test',
    'domain:two.test',
  ]);
  expect(buildDisavowText(buildList(['deep.sub.one.test', 'sub.one.test'])).match(/^domain:.*$/gm)).toEqual([
    'domain:sub.one.test',
  ]);
});

test('every name is covered by exactly one line, and no line by another', async () => {
  const label = fc.constantFrom('a', 'b', 'c', 'd');
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => [...labels, 'test'].join('.'));
  const isBelow = (name: string, parent: string) => name === parent || name.endsWith(`.${parent}`);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 60 }), async (names) => {
      const text = buildDisavowText(buildList(names));
      expect(findProblems(text)).toEqual([]);
      const lines = (text.match(/^domain:.*$/gm) ?? []).map((line) => line.slice('domain:'.length));
      for (const one of names) expect(lines.filter((line) => isBelow(one, line))).toHaveLength(1);
      for (const line of lines) expect(names).toContain(line);
    }),
  );
});
