import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lookupNames } from '../coverage/coverage.ts';
import { findHostProblem, isPageAddress, listableName, normalizeHost } from './hosts.ts';

test.each([
  ['example.com', 'example.com'],
  ['  EXAMPLE.Com. ', 'example.com'],
  ['https://www.example.com/a?b#c', 'example.com'],
  ['http://user:pa@ss@example.com:8080/x', 'example.com'],
  ['ftp://example.com', 'example.com'],
  ['//example.com/x', 'example.com'],
  ['example.com/path?q=https://other.example/', 'example.com'],
  ['example.com:443/', 'example.com'],
  ['https://example.com?x=1', 'example.com'],
  ['https://example.com#x', 'example.com'],
  ['https://example.com\\@evil.example', 'example.com'],
  ['http://a.example/some page with spaces', 'a.example'],
  ['domain:example.com', 'example.com'],
  ['Domain: WWW.Example.com', 'example.com'],
  ['www.example.com', 'example.com'],
  ['www.www.example.com', 'example.com'],
  ['www.com', 'www.com'],
  ['wwwx.example.com', 'wwwx.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['exa\u200bmple.com', 'example.com'],
  ['exa\u00admple.com', 'example.com'],
  ['exa\u202emple.com', 'example.com'],
  ['exa\u200dmple.com', 'example.com'],
  ['https://exam\ufffcple.com/pa\u200bth', 'example.com'],
  ['bü\u2060cher.example', 'xn--bcher-kva.example'],
  ['نامه\u200cای.com', 'xn--mgba3gch31f060k.com'],
  ['mÃ\u00ado.example', 'xn--mo-nja.example'],
  ['https://BÜCHER.example/ä', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['例え。みんな', 'xn--r8jz45g.xn--q9jyb4c'],
  ['my_blog.tumblr.com', 'my_blog.tumblr.com'],
  ['my-.blogspot.com', 'my-.blogspot.com'],
  [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
])('%j normalizes to the host %j', (text, host) => {
  expect(normalizeHost(text)).toBe(host);
});

test.each([
  '',
  '   ',
  'localhost',
  'foo.localhost',
  'single',
  'com',
  '127.0.0.1',
  'http://127.0.0.1:80/',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '1.2.3.4.',
  '[::1]',
  'http://[2001:db8::1]/',
  '2001:db8::1',
  '１２７.0.0.1',
  'someone@example.com',
  'mailto:someone@example.com',
  'javascript://example.com/',
  'android-app://com.example.app',
  'about:blank',
  'a..com',
  '.com',
  'example.com..',
  'a b.com',
  'a,b.com',
  'a"b.com',
  'a%2eb.com',
  'a\0.com',
  '-a.com',
  'a-.com',
  'a_b.com',
  'a.c-',
  'photo.mp4',
  'http://',
  'http:///example.com',
  'example.com:http',
  'xn--.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(126)}com`,
  '--',
  'null',
])('%j is not a host', (text) => {
  expect(normalizeHost(text)).toBeUndefined();
});

test.each([
  ...['1、a.com', '•a.com', '–a.com', '¿a.com?', '§a.com', 'x–y.com', 'l’a.fr', 'a.com،', '「a.com」', '网址：a.com'],
  ...['→a.com', '●a.com', '★a.com', '①a.com', '１．a.com'],
])('%s is no host, because its marks are next to a name', (text) => {
  expect([normalizeHost(text), typeof findHostProblem(text)]).toEqual([undefined, 'string']);
});

test.each([
  ['x‑y.com', 'x-y.com'],
  ['x‐y.com', 'x-y.com'],
  ['x−y.com', 'x-y.com'],
  ['ｘ－ｙ．ｃｏｍ', 'x-y.com'],
  ['１６３．ｃｏｍ', '163.com'],
  ['l·l.cat', 'xn--ll-0ea.cat'],
  ['カ・カ.jp', 'xn--lcka3v.jp'],
  ['i❤.ws', 'xn--i-7iq.ws'],
  ['✔x.ws', 'xn--x-meq.ws'],
])('the marks in %s are a part of the host %s', (text, host) => {
  expect(normalizeHost(text)).toBe(host);
});

test('a name of 253 characters is a host', () => {
  const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(5)}.com`;
  expect(name).toHaveLength(253);
  expect(normalizeHost(name)).toBe(name);
  expect(normalizeHost(`a${name}`)).toBeUndefined();
});

const label = fc.string({ unit: fc.constantFrom(...'abcxyz019-_AZü日ß'), minLength: 1, maxLength: 8 });
const tld = fc.constantFrom('com', 'de', 'co.uk', 'рф', 'XN--P1AI', 'test');
const nearHost = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const prefix = fc.constantFrom('', 'www.', 'http://', 'https://www.', 'domain:', 'http://u:p@', ' ');
const suffix = fc.constantFrom('', '.', '/', ':80/x', '?a', '#b', ' ');

test('normalizing a host twice changes nothing, and the name is valid in DNS', () => {
  const text = fc.oneof(
    fc.tuple(prefix, nearHost, suffix).map((parts) => parts.join('')),
    fc.tuple(prefix, nearHost, fc.constant('.'), tld, suffix).map((parts) => parts.join('')),
    fc.tuple(prefix, fc.domain(), suffix).map((parts) => parts.join('')),
    fc.webUrl(),
    fc.string({ unit: 'binary' }),
  );
  let hosts = 0;
  fc.assert(
    fc.property(text, (any) => {
      const host = normalizeHost(any);
      if (host === undefined) return;
      hosts += 1;
      expect(normalizeHost(host)).toBe(host);
      expect(host).toMatch(/^(?=.{4,253}$)([a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/);
      expect(domainToASCII(host)).toBe(host);
    }),
    { numRuns: 5000 },
  );
  expect(hosts).toBeGreaterThan(1000);
});

test('the host of a web address is the hostname that URL parses', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ validSchemes: ['http', 'https'], withFragments: true, withQueryParameters: true }),
      tld,
      (randomUrl, tld) => {
        const url = randomUrl.replace(/^(https?:\/\/[^/?#:]+\.)[^./?#:]+/, `$1${tld}`);
        const { hostname } = new URL(url);
        expect(normalizeHost(url)).toBe(normalizeHost(hostname));
        if (!/^[\d.]+$|\.[^a-z]*$/.test(hostname))
          expect(normalizeHost(url)).toBe(hostname.replace(/^(www\.)+(?=.+\.)/, ''));
      },
    ),
  );
});

test('a listable name comes with its TLD', () => {
  expect(listableName(' https://www.Shop.Example/x ')).toEqual({ name: 'shop.example', tld: 'example' });
  expect(listableName('a.shop.co.uk')).toEqual({ name: 'a.shop.co.uk', tld: 'uk' });
});

test.each([
  ['', 'The domain is missing: enter a name such as example.com.'],
  ['no name', 'This is not a domain name: enter a name such as example.com.'],
  ['192.0.2.1', 'This is an IP address: enter a domain name such as example.com.'],
  ['http://192.0.2.1:81/x', 'This is an IP address: enter a domain name such as example.com.'],
  ['http://[2001:db8::1]/', 'This is an IP address: enter a domain name such as example.com.'],
  ['2001:db8::1', 'This is an IP address: enter a domain name such as example.com.'],
  ['0x7f.1', 'This is an IP address: enter a domain name such as example.com.'],
  ['co.uk', 'co.uk is a public suffix: enter a domain registered under it, such as example.co.uk.'],
  ['blogspot.com', 'blogspot.com hosts the websites of many owners: enter one of them, such as name.blogspot.com.'],
  ['www.tumblr.com', 'tumblr.com hosts the websites of many owners: enter one of them, such as name.tumblr.com.'],
])('%j cannot be listed: %s', (text, reason) => {
  expect(listableName(text)).toEqual({ reason });
});

test.each(
  'blogspot.de blogspot.ru sites.google.com files.wordpress.com bp.blogspot.com cdn.ampproject.org web.archive.org squarespace.com neocities.org glitch.me jimdosite.com forumotion.com forumfree.it proboards.com unblog.fr blox.pl page.tl webnode.com webnode.es rf.gd infinityfreeapp.com'.split(
    ' ',
  ),
)('%s can never be listed', (host) => {
  expect(listableName(`https://www.${host}/`)).toEqual({ reason: expect.stringContaining('many owners') });
  expect(lookupNames(host)).toEqual([]);
});

test.each([
  ['', 'empty'],
  ['192.0.2.1', 'IP address'],
  ['217.160.0.xxx', 'IP address'],
  ['217.160.x.x', 'IP address'],
  ['217.160.*.*', 'IP address'],
  ['http://[2001:db8::1]/', 'IP address'],
  ['report.pdf', 'unknown top-level domain'],
  ['Node.js', 'unknown top-level domain'],
  ['x.agencySPAM', 'unknown top-level domain'],
  ['shop.onion', 'unknown top-level domain'],
  ['printer.local', 'unknown top-level domain'],
  ['photo.mp4', 'unknown top-level domain'],
  ['read more', 'not an address'],
  ['12.5%', 'not an address'],
  ['a@example.com', 'not an address'],
] as const)('%j is no host: %s', (text, problem) => {
  expect(normalizeHost(text)).toBeUndefined();
  expect(findHostProblem(text)).toBe(problem);
});

test('top-level domains of every kind are known', () => {
  for (const tld of ['com', 'xxx', 'zip', 'co.uk', 'a.ck', 'рф', 'xn--p1ai', 'test', 'example', 'invalid']) {
    expect(normalizeHost(`name.${tld}`), tld).toBeDefined();
  }
  expect(listableName('shop.onion')).toEqual({
    reason: '.onion is not a known top-level domain: enter a name such as example.com.',
  });
});

test('names under .za are domains', () => {
  expect(listableName('https://www.shop.co.za/')).toEqual({ name: 'shop.co.za', tld: 'za' });
  expect(listableName('co.za')).toHaveProperty('reason');
});

test.each([
  ['https://example.com/blog/post', true],
  ['example.com/blog', true],
  ['//example.com/a', true],
  ['http://example.com\\a', true],
  ['https://user:a@example.com:8080/index.html', true],
  ['example.com:8443', true],
  ['https://example.com:8443/', true],
  ['example.com:443', false],
  ['https://example.com', false],
  [' https://example.com/ ', false],
  ['example.com/', false],
  ['example.com/?a=b', true],
  ['example.com/#top', false],
  ['example.com?next=/blog', true],
  ['example.com/?', false],
  ['example.com?', false],
  ['example.com#/blog', false],
  ['domain:example.com', false],
  ['domain: example.com', false],
  ['example.com', false],
])('%j names a page: %s', (text, isPage) => {
  expect(isPageAddress(text)).toBe(isPage);
});

// An algorithm of quadratic time would time out here.
test('long hostile texts are rejected in linear time', () => {
  const texts = [
    `${'a-'.repeat(100_000)}!`,
    'a.'.repeat(500_000),
    `http://${'@'.repeat(500_000)}`,
    `http://${'ü'.repeat(500_000)}.com`,
  ];
  for (let i = 0; i < 100; i += 1) for (const text of texts) expect(normalizeHost(text)).toBeUndefined();
});
