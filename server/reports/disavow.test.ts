import { expect, test } from 'vitest';
import { buildDisavowText } from './reports.ts';

const list = (names: string[], total = names.length) => ({ site: 'site.example', day: '2024-01-05', names, total });

/** What Google's disavow tool refuses, and the strict form beyond it. @returns complaints */
function complaints(text: string): string[] {
  const found: string[] = [];
  if (Buffer.byteLength(text) > 2 * 1024 * 1024) found.push('above 2 MB');
  if (/[^\n\x20-\x7e]/.test(text)) found.push('something other than printable ASCII and LF');
  if (!text.endsWith('\n')) found.push('no line end at the end');
  const lines = text.slice(0, -1).split('\n');
  if (lines.length > 100_000) found.push('above 100,000 lines');
  const domains = lines.filter((line) => !line.startsWith('#'));
  for (const line of domains) {
    const name = /^domain:((?:[a-z0-9_-]{1,63}\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]+))$/.exec(line)?.[1];
    if (name === undefined || name.length > 253 || name.startsWith('www.')) found.push(line);
  }
  if (domains.some((line, i) => i > 0 && line <= (domains[i - 1] ?? ''))) found.push('not sorted, or twice the same');
  return found;
}

test('the file is valid, sorted, and says what it is', () => {
  const text = buildDisavowText(list(['very.test', 'xn--mller-kva.example', 'a-1.sub.test']));
  expect(complaints(text)).toEqual([]);
  expect(text).toBe(
    [
      '# Domains with harmful backlinks to site.example',
      '# Report of 2024-01-05, made by Linksieve',
      '# Uploading this file replaces the list that is in use: copy the lines of your old file over first.',
      'domain:a-1.sub.test',
      'domain:very.test',
      'domain:xn--mller-kva.example',
      '',
    ].join('\n'),
  );
});

test('a report without harmful domains gives a valid file of comments', () => {
  expect(complaints(buildDisavowText(list([])))).toEqual([]);
});

test('above 100,000 lines the lowest risks are left out, and the file says how many', () => {
  const names = Array.from({ length: 120_000 }, (_, i) => `d${i}.test`);
  const text = buildDisavowText(list(names, 130_000));
  expect(complaints(text)).toEqual([]);
  const kept = new Set(text.match(/^domain:.*$/gm));
  expect(kept.size).toBe(99_996);
  expect(kept.has('domain:d99995.test') && !kept.has('domain:d99996.test')).toBe(true);
  expect(text).toContain('\n# The limits of a disavow file left out the 30004 domains with the lowest risk.\n');
});

test('above 2 MB the lowest risks are left out', () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `${'x'.repeat(60)}.${'y'.repeat(60)}.d${i}.test`);
  const text = buildDisavowText(list(names));
  expect(complaints(text)).toEqual([]);
  const kept = text.match(/^domain:/gm)?.length ?? 0;
  expect(text).toContain(`left out the ${20_000 - kept} domains`);
  expect(text.length).toBeGreaterThan(2_000_000);
});
