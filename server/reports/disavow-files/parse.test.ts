import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeFile } from './merge.ts';
import { hasMoreLines, parseLines } from './parse.ts';

/** Returns the entry of a valid line, or the reason and the fix of an invalid one. */
function read(text: string): string | [reason: string, fix: string | null] {
  const [line] = parseLines(text);
  if (line?.kind === 'invalid') return [line.reason, line.fix];
  return line?.kind === 'entry' ? line.entry.text : '';
}

test.each([
  ['domain:example.com', 'domain:example.com'],
  ['  DOMAIN: WWW.Example.COM.  ', 'domain:example.com'],
  ['domain :\texample.com', 'domain:example.com'],
  ['domain:müller.example', 'domain:xn--mller-kva.example'],
  ['domain:blog.example.co.uk', 'domain:blog.example.co.uk'],
  ['domain:exa\u200bmple.com', 'domain:example.com'],
  ['https://exam\u00adple.com/a\ufffcb', 'https://example.com/ab'],
  ['domain:blogspot.com', 'domain:blogspot.com'],
  ['domain:github.io', 'domain:github.io'],
  ['http://example.com', 'http://example.com/'],
  ['HTTPS://WWW.Example.COM/Page?A=1#top', 'https://www.example.com/Page?A=1'],
  ['http://example.com./a', 'http://example.com/a'],
  ['http://müller.example/ü', 'http://xn--mller-kva.example/%C3%BC'],
  ['http://192.0.2.1:8080/page', 'http://192.0.2.1:8080/page'],
  ['http://[2001:db8::1]/page', 'http://[2001:db8::1]/page'],
  ['http://gov.uk/page', 'http://gov.uk/page'],
  ['http://bÃ¼cher.info/x', 'http://xn--bcher-kva.info/x'],
  ['http://www.bÃ¼cher.info/x', 'http://www.xn--bcher-kva.info/x'],
  ['https://straÃŸe.de:8080/a?b', 'https://xn--strae-oqa.de:8080/a?b'],
  ['http://name.blogspot.de/x', 'http://name.blogspot.de/x'],
  [`http://example.com/${'x'.repeat(2048 - 19)}`, `http://example.com/${'x'.repeat(2048 - 19)}`],
  ['http://example.com/seite,123.html', 'http://example.com/seite,123.html'],
  ['', ''],
  ['\u00a0\t', ''],
  ['  # domain:example.com', ''],
])('%j is written as %j', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

const domainMissing = /must start with “domain:”/;
const notUrl = /After “domain:”, Google accepts only a domain/;
const wildcard = /does not know wildcards/;
const ownLine = /comment must be on a line of its own/;
const several = /only one domain or URL/;

test.each<[text: string, reason: RegExp, fix: string | null]>([
  ['example.com', domainMissing, 'domain:example.com'],
  ['www.Example.com', domainMissing, 'domain:example.com'],
  ['example.com/', domainMissing, 'domain:example.com'],
  ['blogspot.com', domainMissing, 'domain:blogspot.com'],
  ['example.com/page', /must start with http/, null],
  ['//example.com/page', /must start with http/, null],
  ['ftp://example.com/page', /must start with http/, null],
  ['http://', /no host/, null],
  ['http:///page', /no host/, null],
  ['http:example.com', /no host/, null],
  ['http://localhost/page', /not a domain name/, null],
  ['http://example.com:99999/', /not a valid URL/, null],
  ['http://example.com/a b', /cannot have spaces/, null],
  [`http://example.com/${'x'.repeat(2048 - 18)}`, /up to 2,048 characters/, null],
  [`http://example.com/${'ü'.repeat(1000)}`, /up to 2,048 characters/, null],
  ['domain:', /is missing/, null],
  ['domain:192.0.2.1', /IP address/, null],
  ['192.0.2.1', /IP address/, null],
  ['domain:co.uk', /public suffix/, null],
  ['domain:www.co.uk', /public suffix/, null],
  ['domain:com', /not a domain name/, null],
  ['domain:.com', wildcard, null],
  ['domain:report.pdf', /not a known top-level domain/, null],
  ['domain:http://www.example.com/page', notUrl, 'domain:example.com'],
  ['domain:https://example.com', notUrl, 'domain:example.com'],
  ['domain:example.com/page', notUrl, 'domain:example.com'],
  ['domain:domain:example.com', notUrl, 'domain:example.com'],
  ['domain:name@example.com', notUrl, null],
  ['*.example.com', wildcard, 'domain:example.com'],
  ['domain:*.example.com', wildcard, 'domain:example.com'],
  ['http://*.example.com/', wildcard, 'domain:example.com'],
  ['*.co.uk', wildcard, null],
  ['site:example.com', /prefix “site:”/, 'domain:example.com'],
  ['url: http://Example.com/page', /prefix “url:”/, 'http://example.com/page'],
  ['site:example.com/page', /prefix “site:”/, null],
  ['a:'.repeat(2000), /prefix “a:”/, null],
  [`http${' '.repeat(200_000)}x`, /line is too long: a line can have up to 4,096 characters/, null],
  [`a${' '.repeat(200_000)}b;`, /line is too long/, null],
  ['domain:example.com # spam', ownLine, 'domain:example.com'],
  ['http://example.com/a\t# spam', ownLine, 'http://example.com/a'],
  ['example.com # spam', ownLine, 'domain:example.com'],
  ['hello there # spam', ownLine, null],
  ['"domain:example.com"', /quotation marks/, 'domain:example.com'],
  ['"'.repeat(4000), /quotation marks/, null],
  ['domain:example.com example.org', several, null],
  ['domain:example.com,example.org', /not a domain name/, null],
  ['hello there', several, null],
  ['hello', /not a domain name/, null],
])('%j is invalid', (text, reason, fix) => {
  expect(read(text)).toEqual([expect.stringMatching(reason), fix]);
});

const comma = /ends with punctuation/;
const quotes = /quotation marks/;
const brackets = /brackets/;
const list = /mark of a list/;
const colon = /there must be a colon/;
const scheme = /must start with http/;

test.each<[text: string, reason: RegExp, fix: string | null]>([
  ['domain:example.com,', comma, 'domain:example.com'],
  ['domain:example.com;', comma, 'domain:example.com'],
  ['example.com,', comma, 'domain:example.com'],
  ['domain:example.com,example.org,', comma, null],
  ['domain example.com', colon, 'domain:example.com'],
  ['domain=example.com', colon, 'domain:example.com'],
  ['Domain = example.com', colon, 'domain:example.com'],
  ['domain：example.com', colon, 'domain:example.com'],
  ['domain꞉example.com', colon, 'domain:example.com'],
  ['domain::example.com', colon, 'domain:example.com'],
  ['domain;example.com', colon, 'domain:example.com'],
  ['domain example.com example.org', several, null],
  ['"domain:example.com",', quotes, 'domain:example.com'],
  ['"example.com";', quotes, 'domain:example.com'],
  ['domain:"example.com"', quotes, 'domain:example.com'],
  ['domain: “example.com”', quotes, 'domain:example.com'],
  ['domain:<example.com>', brackets, 'domain:example.com'],
  ['domain:(example.com)', brackets, 'domain:example.com'],
  ['domain:(example.com/page)', brackets, null],
  ['domain:example.com!', comma, 'domain:example.com'],
  ['1 domain:example.com', list, 'domain:example.com'],
  ['20  http://example.com/page', list, 'http://example.com/page'],
  ['domain:http//example.com', notUrl, 'domain:example.com'],
  ['domain:http:/example.com', notUrl, 'domain:example.com'],
  ['domain:https:\\\\example.com\\page', notUrl, 'domain:example.com'],
  ['domain–example.com', colon, 'domain:example.com'],
  ['domain→example.com', colon, 'domain:example.com'],
  ['domain — example.com', colon, 'domain:example.com'],
  ['domain.example.com', domainMissing, null],
  ['domain.com', domainMissing, 'domain:domain.com'],
  ['domain-example.com', domainMissing, 'domain:domain-example.com'],
  ['domain:https://medium.com/@spam', notUrl, null],
  ['domain:sites.google.com/view/spam', notUrl, null],
  ['http://bÃ¼cher.info/ # x', ownLine, 'http://xn--bcher-kva.info/'],
  ['http//example.com/page', scheme, 'http://example.com/page'],
  ['http//example.com', scheme, 'http://example.com/'],
  ['https:/example.com/page', scheme, 'https://example.com/page'],
  ['https: //example.com/page', scheme, 'https://example.com/page'],
  ['http:\\\\example.com\\page', scheme, 'http://example.com/page'],
  ['http://http://example.com/page', scheme, 'http://example.com/page'],
  ['“domain:example.com”', /quotation marks/, 'domain:example.com'],
  ['<domain:example.com>', /brackets/, 'domain:example.com'],
  ['- domain:example.com', /mark of a list/, 'domain:example.com'],
  ['12. domain:example.com', /mark of a list/, 'domain:example.com'],
  ['1 example.com', /mark of a list/, 'domain:example.com'],
  ['domain:example.com#bought', ownLine, 'domain:example.com'],
  ['domain:example.com// bought', ownLine, 'domain:example.com'],
  ['domain:example.com // spam', /comment/, 'domain:example.com'],
  ['// bought in May', /start with “#”/, '# bought in May'],
  ['; domain:example.com', /start with “#”/, '# domain:example.com'],
])('%j is invalid, and has a fix if only one correction is possible', (text, reason, fix) => {
  expect(read(text)).toEqual([expect.stringMatching(reason), fix]);
});

test.each([
  ['http://example.com', 'domain:example.com'],
  ['https://www.Example.com/', 'domain:example.com'],
  ['http://example.com/page', undefined],
  ['http://example.com/?p=1', undefined],
  ['http://192.0.2.1/', undefined],
  ['http://gov.uk/', undefined],
  ['http://blogspot.com/', undefined],
  ['https://medium.com', undefined],
  ['https://sites.google.com/', undefined],
  ['https://name.medium.com/', 'domain:name.medium.com'],
  ['domain:example.com', undefined],
])('the address %j has the hint %s, because it disavows only one page', (text, fix) => {
  const [line] = parseLines(text);
  expect(line).toMatchObject({ kind: 'entry' });
  expect(line?.kind === 'entry' ? line.hint?.fix : null).toBe(fix);
});

test('invisible characters around an entry are ignored', () => {
  for (const mark of ['\u200b', '\ufeff', '\u200e', '\u2060']) {
    expect(read(`${mark}domain:example.com${mark}`)).toBe('domain:example.com');
    expect(read(`${mark}# comment`)).toBe('');
  }
});

/** What people write for `domain:example.com` that Google does not read, and what only means that. */
const misspelled = fc.constantFrom<(name: string) => string>(
  ...[',', ';', '!', '，', '；', ' ;', ',,'].map((end) => (name: string) => `domain:${name}${end}`),
  ...['=', ' = ', '：', '﹕', '꞉', ';', '::', ' ', '\t', '\u00a0', '–', '→'].map(
    (colon) => (name: string) => `domain${colon}${name}`,
  ),
  ...['- ', '* ', '•', '1. ', '2) ', '3、'].map((mark) => (name: string) => `${mark}domain:${name}`),
  ...['http//', 'http:/', 'https//', 'http：//', 'http://', '*.', '.'].map(
    (start) => (name: string) => `domain:${start}${name}`,
  ),
  (name) => name,
  (name) => `"domain:${name}"`,
  (name) => `domain:${name} # bought`,
  (name) => `domain:${name}/page`,
);
const names = fc
  .stringMatching(/^[a-z][a-z0-9]{1,8}(-[a-z0-9]{1,5})?$/)
  .filter((label) => !label.startsWith('www'))
  .chain((label) => fc.constantFrom('com', 'co.uk', 'рф', 'blogspot.com').map((ending) => `${label}.${ending}`));
const invisible = fc
  .array(fc.constantFrom(...'\u00ad\u061c\u200b\u200e\u202a\u2060\u2066\ufeff\ufffc\u00a0\u3000'), { maxLength: 2 })
  .map((marks) => marks.join(''));

test('the only correction of a line is offered, whatever is wrong, with invisible characters around it too', () => {
  fc.assert(
    fc.property(misspelled, names, invisible, invisible, (write, name, before, after) => {
      const expected = `domain:${domainToASCII(name)}`;
      const [reason, fix] = read(`${before}${write(name)}${after}`);
      expect([typeof reason, fix]).toEqual(['string', expected]);
      expect(read(`${before}${expected}${after}`)).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

test('a fix is a valid line', () => {
  for (const fix of ['example.com', 'url:http://Example.com/ü', '*.example.com'].map((text) => read(text)[1])) {
    expect(read(fix ?? '')).toBe(fix);
  }
});

test('line ends of every kind are read, also mixed, and a missing last one', () => {
  for (const text of ['a\nb\n\nc', 'a\r\nb\r\n\r\nc\r\n', 'a\rb\r\rc\r', 'a\r\nb\n\rc\n']) {
    expect(parseLines(text).map((line) => line.text)).toEqual(['a', 'b', '', 'c']);
  }
});

test.each([
  ['a\nb', 2, false],
  ['a\nb\n', 2, false],
  ['a\n\n', 2, false],
  ['a\nb\nc', 2, true],
  ['\n\n\n', 2, true],
  ['\n\n\n\n\n', 2, true],
])('whether %j has more than %i lines is %s', (text, limit, expected) => {
  expect(hasMoreLines(text, limit)).toBe(expected);
  expect(parseLines(text).length > limit).toBe(expected);
});

/** Public lists that are not in the repository, next to it. */
const folder = join(import.meta.dirname, '../../../../shared/data');
const lists = [
  'lists/turkish_tech_disavow.txt',
  'feeds/public-disavow-links.disavow.txt',
  'feeds/bad-bot-blocker.disavow.txt',
];

test.each(lists.filter((list) => existsSync(join(folder, list))))(
  'nearly all lines of the public list %s are valid, and merging it changes nothing the second time',
  async (list) => {
    const text = await readFile(join(folder, list), 'utf8');
    const lines = parseLines(text);
    const merged = mergeFile(lines, { keep: [], disavow: ['added.test'], website: 'own.example' }, '2026-11-25');
    const invalid = lines.filter(({ kind }) => kind === 'invalid');
    expect(invalid.length).toBeLessThan(lines.length / 100);
    expect(merged.added).toEqual(['added.test']);
    const again = mergeFile(
      parseLines(merged.text),
      { keep: [], disavow: ['added.test'], website: 'own.example' },
      '2027-01-01',
    );
    expect([again.added, again.text === merged.text]).toEqual([[], true]);
    expect(again.lines.every(({ state }) => state === 'valid' || state === 'comment')).toBe(true);
  },
);
