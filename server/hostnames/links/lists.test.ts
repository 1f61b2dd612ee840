import { expect, test } from 'vitest';
import { createListReader, readListLine } from './list-lines.ts';
import { isAboutOtherSites } from './name-fields.ts';

// Expressions of quadratic time would time out here.
test('long hostile lines are read in linear time', () => {
  const many = 200_000;
  const read = createListReader();
  for (const text of [
    `a${' '.repeat(many)}b`,
    `a${','.repeat(many)}b`,
    `map${' '.repeat(many)}x;y`,
    `a${' SOA'.repeat(many)} x`,
  ]) {
    expect(read(text)).toEqual([{ text }]);
  }
  expect(readListLine('a.com, b.com\t|c.com;,')).toEqual([{ text: 'a.com' }, { text: 'b.com' }, { text: 'c.com' }]);
  expect(readListLine('map $a $b {')).toEqual([]);
});

test('a record of a zone about itself without an end does not hide the list after it', () => {
  const read = createListReader();
  const names = Array.from({ length: 20 }, (_, i) => `seller${i}.com`);
  const found = ['@ IN SOA a. b. (', ...names].flatMap((line) => read(line));
  expect(found).toEqual(names.slice(9).map((text) => ({ text })));
  expect(read('@ IN SOA a. b. ( 1 2 3 4 5 )')).toEqual([]);
  expect(read('last.com')).toEqual([{ text: 'last.com' }]);
});

const others = [
  ...['allow', 'allowed', 'allow_list', 'allowlist', 'allowedDomains', 'whitelist', 'Whitelisted', 'white-list'],
  ...['except', 'exceptions', 'safe', 'safe_sites', 'safelist', 'isSafe', 'ignore', 'ignored', 'unblocked'],
  ...[
    'reference',
    'references',
    'source',
    'sources',
    'Source URL',
    'sourceurl',
    'source1',
    'source.link',
    'datasource',
  ],
  ...['found', 'found_on', 'foundAt', 'evidence', 'proof_url', 'target', 'targetDomain', 'targets', 'linked_from'],
  ...['mirrors', 'homepage', 'maintainer', 'maintained by', 'contributors', 'author', 'authors'],
  ...['sponsor', 'sponsored', 'license', 'licence_url', 'registrar', 'nameserver', 'name server 1', 'nameServers'],
  ...['whois', 'competitors', 'similar_sites', 'redirect', 'redirects to', 'redirectUrl', 'trusted', 'items[].trusted'],
  ...['good', 'meta', 'info', 'from', 'to', 'ns', 'mx', 'ok', 'own', 'client'],
];

test.each(others)('%s is about other sites', (field) => {
  expect(isAboutOtherSites(field)).toBe(true);
});

test.each([
  ...[
    'domain',
    'unsafe',
    'untrusted',
    'disallowed',
    'disallow',
    'resources',
    'resource',
    'authority',
    'domain_authority',
  ],
  ...[
    'Unsafe sites',
    'not_trusted',
    'not safe',
    'nonSafe',
    'foundation',
    'malicious',
    'outsourced',
    'tools',
    'clients',
  ],
])('%s is about the listed sites', (field) => {
  expect(isAboutOtherSites(field)).toBe(false);
});
