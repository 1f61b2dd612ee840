import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWrapperHost, readLinkHost, toLinkText } from './links.ts';

test.each([
  ['https://www.example.com/a', 'example.com'],
  ['=HYPERLINK("https://example.com/a";"text")', 'example.com'],
  ['=HYPERLINK("https://example.com/a","text, ""more""")', 'example.com'],
  ['= hyperlink( "example.com" )', 'example.com'],
  ['=HYPERLINK(""https://example.com/a"",""text"")', 'example.com'],
  ['=HYPERLINK("https://example.com/a"', 'example.com'],
  ['=ГИПЕРССЫЛКА("https://example.com/";"текст")', 'example.com'],
  ['="https://example.com/a"', 'example.com'],
  ['<https://example.com/a>', 'example.com'],
  ['‹https://example.com/a›', 'example.com'],
  ['[A title](https://example.com/a)', 'example.com'],
  ['[A title](<https://example.com/a> "note")', 'example.com'],
  ['"https://example.com/a"', 'example.com'],
  ['(example.com)', 'example.com'],
  ['“example.com”', 'example.com'],
  ['https://https://example.com/a', 'example.com'],
  ['http://https//example.com', 'example.com'],
  ['http:/example.com', 'example.com'],
  ['http:///example.com', 'example.com'],
  ['https//example.com', 'example.com'],
  ['hxxps://example.com/a', 'example.com'],
  ['hxxp://blog[.]example[.]com/a', 'blog.example.com'],
  ['http%3A%2F%2Fexample.com%2Fa', 'example.com'],
  ['https%3a//example.com/a', 'example.com'],
  ['- example.com', 'example.com'],
  ['* https://example.com/a', 'example.com'],
  ['• example.com', 'example.com'],
  ['12. example.com', 'example.com'],
  ['3) example.com', 'example.com'],
  ['•example.com', 'example.com'],
  ['→ example.com', 'example.com'],
  ['★example.com', 'example.com'],
  ['①example.com', 'example.com'],
  ['3、example.com', 'example.com'],
  ['３．example.com', 'example.com'],
  ['（example.com）', 'example.com'],
  ['「https://example.com/a」', 'example.com'],
  ['example.com，', 'example.com'],
  ['https：//example.com/a', 'example.com'],
  ['example.com,', 'example.com'],
  ['https://example.com/a;', 'example.com'],
  ['example.com,,', 'example.com'],
  ['\ufeffexample.com', 'example.com'],
  ['example.com\u200b', 'example.com'],
  ['domain:example.com # spam, 2024', 'example.com'],
  ['example.com\t# spam', 'example.com'],
  ['example.com#spam', 'example.com'],
  ['example.com# spam, other.com', 'example.com'],
  ['example.com// spam', 'example.com'],
  ['example.com // other.com', 'example.com'],
  ['example.com ; spam', 'example.com'],
  ['3 example.com', 'example.com'],
  ['3: https://example.com/a', 'example.com'],
  ['[3] example.com', 'example.com'],
  ['3)example.com', 'example.com'],
  ['exa\u200bmple.com', 'example.com'],
  ['ht\u2060tps://exam\ufffcple.com/a', 'example.com'],
  ['<a href="https://example.com">other.com</a>', 'example.com'],
  ["<a class=x href='https://example.com/a'>https://other.com/</a>", 'example.com'],
  ['<a href="https://tool.com/?target=example.com">example.com</a>', 'example.com'],
  ['<a href="https://tool.com/site/example.com/">https://www.example.com/a</a>', 'example.com'],
  ['=HYPERLINK("https://other.com/","example.com")', 'example.com'],
  ['- [x](http://bücher.example/)', 'xn--bcher-kva.example'],
])('%j is a link to %s', (text, host) => {
  expect(readLinkHost(text)).toBe(host);
});

test.each([
  ['https://example-com.translate.goog/a?_x_tr_sl=en', 'example.com'],
  ['https://my--shop-co-uk.translate.goog/', 'my-shop.co.uk'],
  ['https://example-com.cdn.ampproject.org/c/s/www.example.com/a', 'example.com'],
  ['https://example-com.cdn.ampproject.org/v/example.com/a?x=1', 'example.com'],
  ['https://cdn.ampproject.org/c/s/example.com/a', 'example.com'],
  ['https://my--shop-com.cdn.ampproject.org/', 'my-shop.com'],
  ['https://www.google.com/amp/s/example.com/a', 'example.com'],
  ['https://www.google.co.uk/url?sa=t&q=https%3A%2F%2Fexample.com%2Fa', 'example.com'],
  ['https://google.de/url?url=http://example.com/', 'example.com'],
  ['https://translate.google.com/translate?hl=en&u=https://example.com/a', 'example.com'],
  ['google.com/url?q=https://example.com/', 'example.com'],
  ['https://web.archive.org/web/20200102030405/http://example.com:80/a', 'example.com'],
  ['web.archive.org/web/2020id_/https://example.com/?a=b', 'example.com'],
  ['https://web.archive.org/web/20200102/example.com', 'example.com'],
  ['https://web.archive.org/web/https://example.com/', 'example.com'],
  ['https://web.archive.org/web/2020', 'web.archive.org'],
  ['https://webcache.googleusercontent.com/search?q=cache:Ab3_xYz12345:https://example.com/a+words', 'example.com'],
  ['https://webcache.googleusercontent.com/search?q=cache:example.com/a', 'example.com'],
  ['https://web.archive.org/web/2020/https://www.google.com/url?q=https://example.com', 'example.com'],
  ['https://web.archive.org/', 'web.archive.org'],
  ['https://www.google.com/search?q=example.com', 'google.com'],
  ['https://www.google.com/url?q=nothing', 'google.com'],
  ['https://web.archive.org/web/2020/report.pdf', 'web.archive.org'],
])('the page that %s shows is on %s', (text, host) => {
  expect(readLinkHost(text)).toBe(host);
});

test.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['http://192.0.2.1/', 'IP address'],
  ['- 217.160.0.xxx', 'IP address'],
  ['http://2130706433/', 'IP address'],
  ['http://[2001:db8::1]:80/', 'IP address'],
  ['42', 'not an address'],
  ['see[1]', 'not an address'],
  ['3.14', 'not an address'],
  ['report.pdf', 'unknown top-level domain'],
  ['<Node.js>', 'unknown top-level domain'],
  ['read more', 'not an address'],
  ['=SUM(A1:A3)', 'not an address'],
  ['[title](no address)', 'not an address'],
])('%j is not a link: %s', (text, problem) => {
  expect(readLinkHost(text)).toEqual({ problem });
});

test.each([
  [' https://example.com/a, b ', 'https://example.com/a, b'],
  ['https://example.com/?q="x"', 'https://example.com/?q="x"'],
  ['https://example.com/a → https://mine.example/', 'https://example.com/a'],
  ['https://example.com/a -> mine.example', 'https://example.com/a'],
  ['https://example.com/a - Cheap posts', 'https://example.com/a'],
  ['https://example.com/a – Cheap posts', 'https://example.com/a'],
  ['https://example.com/a | Cheap posts', 'https://example.com/a'],
  ['https://example.com/a # bought', 'https://example.com/a'],
  ['https://example.com/a // bought', 'https://example.com/a'],
  ['https://exam\u200bple.com/pa\u00adth', 'https://example.com/path'],
  ['https://example.com/a\n\nCheap posts', 'https://example.com/a'],
  ['https://example.com/a\r\nCheap posts', 'https://example.com/a'],
  ['https://example.com/a\tb', 'https://example.com/a\tb'],
  ['https://example.com/a, https://example.org/b', 'https://example.com/a'],
  ['https://example.com/my page, two.html', 'https://example.com/my page, two.html'],
  ['https://example.com/Artist - Title.mp3', 'https://example.com/Artist - Title.mp3'],
  ['https://example.com/a-b--c', 'https://example.com/a-b--c'],
  ['domain: example.com', 'example.com'],
  ['=HYPERLINK("https://example.com/a";"text")', 'https://example.com/a'],
  ['[x](https://example.com/a)', 'https://example.com/a'],
  ['http%3A%2F%2Fexample.com%2Fa', 'http://example.com/a'],
  ['https://https://example.com/a', 'https://example.com/a'],
  ['https://web.archive.org/web/2020/http://example.com/', 'https://web.archive.org/web/2020/http://example.com/'],
])('%j is shown as %s', (text, shown) => {
  expect(toLinkText(text)).toBe(shown);
});

const host = fc
  .tuple(fc.stringMatching(/^[a-z]([a-z0-9]{0,5}-?[a-z0-9]){1,2}$/), fc.constantFrom('com', 'de', 'co.uk', 'test'))
  .map((parts) => parts.join('.'))
  .filter((name) => !name.startsWith('www.') && !name.includes('--'));
const encode = (name: string) => name.replaceAll('-', '--').replaceAll('.', '-');
const decorations: ((url: string, name: string) => string)[] = [
  (url) => `=HYPERLINK("${url}";"text")`,
  (url) => `[text](${url})`,
  (url) => `<${url}>`,
  (url) => `- ${url}`,
  (url) => `7. ${url},`,
  (url) => `"${url}"`,
  (url) => encodeURIComponent(url),
  (url) => `https://${url}`,
  (url) => `\ufeff${url} # note`,
  (_url, name) => `domain:${name} # note`,
  (_url, name) => `https://${encode(name)}.translate.goog/a`,
  (_url, name) => `https://${encode(name)}.cdn.ampproject.org/c/s/${name}/a`,
  (url) => `https://web.archive.org/web/20200102030405/${url}`,
  (url) => `https://www.google.com/url?q=${encodeURIComponent(url)}`,
  (url) => `https://webcache.googleusercontent.com/search?q=cache:Ab3_xYz12345:${url}+words`,
];

test('every host is found again in every decoration, also in two of them', () => {
  fc.assert(
    fc.property(host, fc.constantFrom(...decorations), fc.nat(5), (name, decorate, outer) => {
      const link = decorate(`https://${name}/path`, name);
      expect(readLinkHost(link)).toBe(name);
      const wrap = decorations[outer];
      if (wrap && /^https?:/.test(link)) expect(readLinkHost(wrap(link, name))).toBe(name);
    }),
    { numRuns: 2000 },
  );
});

test('a name between marks is the name or no address, but never another name', () => {
  const mark = fc.constantFrom(
    ...'•–—→●★■①、，。；：！？（）「」『』【】《》〈〉«»‹›“”„‘’…¿¡§†‡·•*"\'()[]{}<>|\\~`^+=!?;,',
  );
  // Two marks can be a letter in the wrong encoding.
  const marks = fc.option(mark, { nil: '' });
  fc.assert(
    fc.property(host, marks, marks, fc.boolean(), (name, before, after, isUrl) => {
      const read = readLinkHost(`${before}${isUrl ? 'https://' : ''}${name}${after}`);
      if (typeof read === 'string') expect(read).toBe(name);
    }),
    { numRuns: 3000 },
  );
});

test('wrapper hosts are recognized by their names', () => {
  for (const name of ['google.com', 'google.co.uk', 'google.de', 'x.translate.goog']) {
    expect(isWrapperHost(name)).toBe(true);
  }
  for (const name of ['google.example.com', 'mygoogle.com', 'archive.org']) expect(isWrapperHost(name)).toBe(false);
});

// An algorithm of quadratic time would time out here.
test('hostile cells are read in linear time', () => {
  const texts = [
    '['.repeat(60_000),
    `[${':'.repeat(60_000)}`,
    `example${'[.]'.repeat(20_000)}`,
    `[${'a]'.repeat(30_000)}`,
    'http://'.repeat(9000),
    '%3a%2f'.repeat(10_000),
    `=HYPERLINK(${'"'.repeat(60_000)}`,
    `${' '.repeat(60_000)}x`,
    `x${' #'.repeat(30_000)}`,
    `x${','.repeat(60_000)}`,
    `${'- '.repeat(30_000)}x`,
    `https://x.com/${' -'.repeat(30_000)}`,
    `https://x.com/${' - .'.repeat(15_000)}a`,
    `https://web.archive.org/web/1/${'https://web.archive.org/web/1/'.repeat(2000)}`,
  ];
  for (let i = 0; i < 20; i += 1) for (const text of texts) readLinkHost(text) && toLinkText(text);
  expect(texts.map(readLinkHost).every((read) => read !== undefined)).toBe(true);
});
