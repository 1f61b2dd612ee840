import { expect, test } from 'vitest';
import { createListReader, readListLine } from './list-lines.ts';
import { isAboutOtherSites, isHarmlessField } from './name-fields.ts';

// Expressions of quadratic time would time out here.
test('long hostile lines are read in linear time', () => {
  const many = 200_000;
  const read = createListReader();
  for (const text of [
    `a${' '.repeat(many)}b`,
    `a${','.repeat(many)}b`,
    `map${' '.repeat(many)}x;y`,
    `a${' SOA'.repeat(many)} x`,
    `a/b${'.a'.repeat(many)}#x`,
    `a${'/'.repeat(many)}b`,
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
  ...['excluded', 'exclusions', 'excludedRequestDomains', 'removed', 'deleted', 'delisted', 'unlisted', 'exempt'],
  ...['Ausnahmen', 'erlaubt', 'Weißliste', 'Quelle', 'Zielseite', 'Verlinkt auf', 'Mitbewerber'],
  ...['listeBlanche', 'autorisés', 'exclus', 'Redirigé vers', 'Concurrent', 'lista blanca', 'permitidos', 'Destino'],
  ...['exceções', 'consentiti', 'Fonte', 'uitzonderingen', 'dozwolone', 'źródło', 'výjimky', 'Акцептор', 'исключения'],
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
    'exclusive',
    'listeNoire',
    'Sperrliste',
    'lista negra',
    'Сайт',
    'tools',
    'clients',
  ],
])('%s is about the listed sites', (field) => {
  expect(isAboutOtherSites(field)).toBe(false);
});

test.each([
  ...[
    'allow',
    'Allowed by an admin',
    'white-list',
    'whitelisted',
    'Safe',
    'trusted (2024)',
    'keep',
    'Clean',
    'erlaubt',
  ],
])('a type %s says that a site is not listed', (value) => {
  expect(isHarmlessField('Type', value)).toBe(true);
});

test.each([
  ...[
    'Allowance',
    'Safe gambling',
    'Safety',
    'Cleaning services',
    'White hat',
    'Exclusive',
    'Trust fund',
    'Keeper',
    '',
  ],
])('a type %s does not say that a site is not listed', (value) => {
  expect(isHarmlessField('Type', value)).toBe(false);
});

test('the name of an object counts only if it is that of a list', () => {
  expect(isHarmlessField('name', 'Allow list')).toBe(true);
  for (const name of ['Exceptional posts', 'Safe.com', 'Whiteboard']) expect(isHarmlessField('name', name)).toBe(false);
});
