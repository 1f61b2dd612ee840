import { expect, test } from 'vitest';
import { readAdblockLine } from './adblock-rules.ts';
import { isName, readSimpleLine } from './entry.ts';
import { createLineScanner } from './scan-lines.ts';
import { createUblacklistReader } from './ublacklist-rules.ts';

type Expected = string | string[];

/** Reads each line and returns names as they are, and reasons in brackets. */
function readAll(read: (line: string) => readonly Parameters<typeof isName>[0][], lines: Record<string, Expected>) {
  return Object.fromEntries(
    Object.keys(lines).map((line) => {
      const entries = read(line).map((entry) => (isName(entry) ? entry.name : `(${entry})`));
      return [line, entries.length === 1 ? entries[0] : entries];
    }),
  );
}

const names: Record<string, Expected> = {
  'x.com': 'x.com',
  '  X.COM\t': 'x.com',
  'www.x.com': 'x.com',
  'x.com.': 'x.com',
  '.x.com': 'x.com',
  '*.x.com': 'x.com',
  'a.b.x.co.uk': 'a.b.x.co.uk',
  'bücher.de': 'xn--bcher-kva.de',
  'x.com # comment': 'x.com',
  'x.com\t#comment': 'x.com',
  'x.com ; comment': 'x.com',
  'x.com#comment': 'x.com',
  'x.com// comment': 'x.com',
  'x.com // y.com': 'x.com',
  'http://x.com/#part': 'x.com',
  'http://x.com/?': 'x.com',
  '1. x.com': 'x.com',
  '2) x.com': 'x.com',
  '3 x.com': 'x.com',
  '(4) x.com': 'x.com',
  'x\u200by.com': 'xy.com',
  'x.com, y.com': ['x.com', 'y.com'],
  'http://x.com/,http://y.com/': ['x.com', 'y.com'],
  'x.com // comment': 'x.com',
  'http://x.com': 'x.com',
  'https://www.x.com/': 'x.com',
  '//x.com/': 'x.com',
  'x.com/*': 'x.com',
  'https://user:secret@x.com:443/': 'x.com',
  'name.blogspot.com': 'name.blogspot.com',
  'domain:x.com': 'x.com',
  'Domain: x.com # bad': 'x.com',
  '0.0.0.0 x.com': 'x.com',
  '127.0.0.1\tx.com y.com # c': ['x.com', 'y.com'],
  '0.0.0.0 x.com#comment': 'x.com',
  '0.0.0.0 x.com #comment y.com': 'x.com',
  ':: x.com': 'x.com',
  '::1 x.com': 'x.com',
  '0 x.com': 'x.com',
};

const noNames: Record<string, Expected> = {
  '': [],
  '   ': [],
  '# x.com': [],
  '#x.com': [],
  '! x.com': [],
  '; x.com': [],
  '// x.com': [],
  localhost: [],
  '127.0.0.1 localhost localhost.localdomain': [],
  '::1 ip6-localhost ip6-loopback': [],
  '255.255.255.255 broadcasthost': [],
  'fe80::1%lo0 localhost': [],
  '0.0.0.0 0.0.0.0': [],
  '127.0.0.1 local x.com': 'x.com',
  'x.com/page': '(path)',
  'http://x.com/a,y.com': '(path)',
  'http://x.com/?a=1;y.com': '(path)',
  'x.com?id=1': '(path)',
  'x.com##.ad': '(cosmetic)',
  'http://x.com/page': '(path)',
  'http://x.com//': '(path)',
  'http://x.com/?id=1': '(path)',
  'http://x.com?id=1': '(path)',
  'http://x.com:8080/': '(path)',
  'x.com/page/*': '(path)',
  'domain:x.com/page': '(path)',
  'medium.com/@someone': '(path)',
  '0.0.0.0 x.com/page': '(path)',
  '1.2.3.4': '(ip)',
  '0.0.0.0': '(ip)',
  '1.2.3.0/24': '(ip)',
  '1.2.3.4 - 1.2.3.9': '(ip)',
  'http://1.2.3.4/page': '(ip)',
  '2001:db8::1': '(ip)',
  '2001:db8::/32': '(ip)',
  '[2001:db8::1]': '(ip)',
  'http://[2001:db8::1]:80/': '(ip)',
  '0.0.0.0 1.2.3.4': '(ip)',
  'domain:1.2.3.4': '(ip)',
  '*': '(wildcard)',
  'ads.*': '(wildcard)',
  'ads*.x.com': '(wildcard)',
  'x.*/page': '(wildcard)',
  'co.uk': '(shared)',
  'blogspot.com': '(shared)',
  'medium.com': '(shared)',
  '127.0.0.1 medium.com': '(shared)',
  '140.82.112.4 x.com': '(invalid)',
  'two words.com': '(invalid)',
  'x.com y.com': '(invalid)',
  'user@x.com': '(invalid)',
  'mailto:user@x.com': '(invalid)',
  'x.notatld': '(invalid)',
  'report.pdf': '(invalid)',
  '<p>x.com</p>': '(invalid)',
};

test('each line of a list of names, a hosts file or a disavow file is a name or has a reason', () => {
  expect(readAll(readSimpleLine, names)).toEqual(names);
  expect(readAll(readSimpleLine, noNames)).toEqual(noNames);
});

test('each rule of an adblock list is a name or has a reason', () => {
  const rules: Record<string, Expected> = {
    '[Adblock Plus 2.0]': [],
    '! ||x.com^': [],
    '!#if env_firefox': [],
    '# comment': [],
    '## Heading': [],
    '||x.com^': 'x.com',
    '||WWW.X.com^': 'x.com',
    '||x.com': 'x.com',
    '||x.com/': 'x.com',
    '||x.com^|': 'x.com',
    '||x.com^*': 'x.com',
    '||x.com/*': 'x.com',
    '||*.x.com^': 'x.com',
    '||x.com^ # comment': 'x.com',
    '|https://x.com^': 'x.com',
    '://x.com^': 'x.com',
    '.x.com^': 'x.com',
    '||x.com^$all': 'x.com',
    '||x.com^$document,popup': 'x.com',
    '||x.com^$third-party': 'x.com',
    '||x.com^$Important,3p': 'x.com',
    '||x.com^$doc,_': 'x.com',
    '||x.com^$image': '(option)',
    '||x.com^$script,third-party': '(option)',
    'x.com': 'x.com',
    '0.0.0.0 x.com y.com # c': ['x.com', 'y.com'],
    '||x.com/page': '(path)',
    '||x.com/page^$all': '(path)',
    '||x.com^page': '(path)',
    '||x.com^*/page': '(path)',
    '||x.com/*/page': '(path)',
    '||x.com/?id=': '(path)',
    '||x.com:8080^': '(path)',
    '|https://x.com/|': '(path)',
    '/banner.gif?': '(path)',
    'https://x.com/page': '(path)',
    '||x.com^$domain=y.com': '(option)',
    '||x.com^$from=y.com': '(option)',
    '||x.com^$to=y.com': '(option)',
    '||x.com^$script,domain=y.com': '(option)',
    '||x.com^$denyallow=y.com': '(option)',
    '||x.com^$~third-party': '(option)',
    '||x.com^$1p': '(option)',
    '||x.com^$badfilter': '(option)',
    '||x.com^$removeparam=id': '(option)',
    '||x.com^$redirect=noop.js': '(option)',
    "||x.com^$csp=script-src 'none'": '(option)',
    '||x.com^$unknown': '(option)',
    '$popup,domain=x.com': '(option)',
    '@@||x.com^': '(exception)',
    '@@x.com##.ad': '(exception)',
    'x.com##.ad': '(cosmetic)',
    '##.ad': '(cosmetic)',
    '###ad': '(cosmetic)',
    'x.com,y.com#@#.ad': '(cosmetic)',
    'x.com#?#.ad:has(a)': '(cosmetic)',
    'x.com#$#body { color: red }': '(cosmetic)',
    'x.com#%#alert(1)': '(cosmetic)',
    'x.com$$script[tag="ad"]': '(cosmetic)',
    'x.com##+js(noop)': '(cosmetic)',
    '/ads\\d+/': '(regex)',
    '/ads\\d+/$script': '(regex)',
    '||ads.*^': '(wildcard)',
    '||ads*.x.com^': '(wildcard)',
    '||x.com*': '(wildcard)',
    '||x.com.': '(wildcard)',
    '*$third-party': '(wildcard)',
    '||1.2.3.4^': '(ip)',
    '||[2001:db8::1]^': '(ip)',
    '||co.uk^': '(shared)',
    '||medium.com^': '(shared)',
    '||medium.com^$domain=x.com': '(shared)',
    '-banner-': '(invalid)',
    '||ads^': '(invalid)',
  };
  expect(readAll(readAdblockLine, rules)).toEqual(rules);
});

test('each rule of a uBlacklist file is a name or has a reason', () => {
  const rules: Record<string, Expected> = {
    '# comment': [],
    '*://*.x.com/*': 'x.com',
    '*://x.com/*': 'x.com',
    '*://*.x.com/* # comment': 'x.com',
    'https://*.x.com/*': 'x.com',
    '*://*.x.com': 'x.com',
    'x.com': 'x.com',
    '*://*.x.com/page*': '(path)',
    '*://*.x.com/page/*': '(path)',
    '*://x.com/*page': '(path)',
    '*://*.x.com/?id=*': '(path)',
    'https://x.com/page': '(path)',
    '*://*.medium.com/@someone/*': '(path)',
    '/x\\.com/': '(regex)',
    '/x\\.com/i': '(regex)',
    'title/casino/i': '(regex)',
    'url/casino/': '(regex)',
    'title *= "casino"': '(regex)',
    '$category = "images"': '(regex)',
    '! host = "x.com"': '(regex)',
    '*://*.x.com/* @if(title *= "casino")': '(regex)',
    '@*://*.x.com/*': '(exception)',
    '@1*://*.x.com/*': '(exception)',
    '@/x\\.com/': '(exception)',
    '*://*/*': '(wildcard)',
    '*://*.x.*/*': '(wildcard)',
    '*://x*.com/*': '(wildcard)',
    '<all_urls>': '(wildcard)',
    '*://*.co.uk/*': '(shared)',
    '*://1.2.3.4/*': '(ip)',
    'two words': '(invalid)',
  };
  expect(readAll(createUblacklistReader(), rules)).toEqual(rules);
});

test('the description at the start of a uBlacklist file contains no names', () => {
  const read = createUblacklistReader();
  const lines = ['', '---', 'name: List', 'homepage: https://y.com/', '---', '*://*.x.com/*'];
  expect(lines.map((line) => read(line).length)).toEqual([0, 0, 0, 0, 0, 1]);
});

test('lines end with LF, CRLF or CR at any boundary of chunks, and a line above the limit is skipped', () => {
  const text = Buffer.from('one\ntwo\r\nthree\rmuch too long\r\nfour');
  for (let size = 1; size <= text.length; size += 1) {
    const lines: string[] = [];
    let long = 0;
    const scanner = createLineScanner(
      (line) => lines.push(line),
      () => {
        long += 1;
      },
      6,
    );
    let waiting = Buffer.alloc(0);
    for (let at = 0; at <= text.length; at += size) {
      const bytes = Buffer.concat([waiting, text.subarray(at, at + size)]);
      waiting = bytes.subarray(scanner.scan(bytes, bytes.length, false));
      expect(waiting.length).toBeLessThanOrEqual(6);
    }
    scanner.scan(waiting, waiting.length, true);
    expect([lines.filter((line) => line !== ''), long]).toEqual([['one', 'two', 'three', 'four'], 1]);
  }
});
