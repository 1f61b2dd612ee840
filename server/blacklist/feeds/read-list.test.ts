import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FeedFormat } from '#shared/blacklist/feeds.ts';
import { buildXlsx } from '../../platform/archives/workbooks.fixtures.ts';
import { startListReader } from './read-list.fixtures.ts';

let reader: Awaited<ReturnType<typeof startListReader>>;
beforeAll(async () => {
  reader = await startListReader();
});
afterAll(() => reader.stop());

/** Lists that all contain x.com and y.co.uk, by format. */
const lists: Record<FeedFormat, Record<string, string>> = {
  plain: {
    names: 'x.com\ny.co.uk\n',
    'names after a title that looks like a header': '# domain, host\n# url\nx.com\ny.co.uk',
    'names with comments': 'x.com # sells links, spam; casino\ny.co.uk # sells links, spam; casino',
    addresses: 'https://x.com/\nhttps://y.co.uk/\n',
    'patterns of names': '*.x.com\n.y.co.uk\n',
    'sites below the key of others': 'x.com\ny.co.uk\n\nallow:\nz.com\nz.de\n',
    'names with attributes': 'x.com @ads\nfull:y.co.uk @cn @ads\n',
    'links of Markdown': '# c\n[x.com](https://x.com)\n[Why](https://y.co.uk/)\n',
  },
  hosts: {
    'a hosts file': '127.0.0.1 localhost\n::1 localhost\n\n0.0.0.0 x.com\n0.0.0.0 y.co.uk\n',
    'several names per line': '# hosts\n0.0.0.0 x.com y.co.uk # c\n',
    'a hosts file with names': '127.0.0.1\tx.com\ny.co.uk',
  },
  disavow: { 'a disavow file': '# Exported\ndomain:x.com\ndomain:y.co.uk\n' },
  adblock: {
    rules: '||x.com^\n||y.co.uk^$all\n',
    'names after a header': '[Adblock Plus 2.0]\n! Title: names\nx.com\ny.co.uk\n',
    'names and rules': 'x.com\n||y.co.uk^\n',
    'lines of hosts and rules': '0.0.0.0 x.com\n||y.co.uk^\n',
    'rules between invisible characters': '||x.com^\u200b\n\ufeff||y.co.uk^$all\u200e\n',
    'rules without bars': 'x.com^\ny.co.uk^$popup\n',
  },
  ublacklist: {
    'patterns between invisible characters': '*://*.x.com/*\u200b\n\u2060*://y.co.uk/*\n',
    'match patterns': '*://*.x.com/*\n*://y.co.uk/*\n',
    'a description': '---\nname: List\n---\nx.com\ny.co.uk\n',
  },
  csv: {
    'a column named domain': 'id,domain,note\n1,x.com,"a, b"\n2,y.co.uk,c\n',
    'one column': 'domain\nx.com\ny.co.uk\n',
    'one quoted column': '"Root Domain"\n"x.com"\n"y.co.uk"\n',
    'a column with an unusual name': 'Nr;Seller;Price\n1;x.com;10\n2;y.co.uk;20\n',
    'no header': '1,x.com\n2,y.co.uk\n',
    'vertical bars': '1|x.com|a\n2|y.co.uk|b\n',
    'addresses of servers': '1.2.3.4\tx.com\ta\n1.2.3.5\ty.co.uk\tb\n',
    'a header in a comment': '# id\tURL\tnote\n1\thttps://x.com/\ta\n2\thttps://y.co.uk/\tb\n',
    'a named column of companies': 'name,website\nExample Inc.,x.com\nWhy,https://www.y.co.uk\n',
    'a column with a status': 'domain,status\nx.com,blocked\nz.com,Allowed\ny.co.uk,active\n',
    'a column with a status behind links':
      'domain,status\nx.com,blocked\nz.com,"=HYPERLINK(""https://tool.example/z"",""Allowed"")"\ny.co.uk,active\n',
    'columns that are yes or no': 'Site;Blocked;Safe\nx.com;yes;no\nz.com;no;no\nz.de;;yes\ny.co.uk;;\n',
    'a list with numbers': '1. x.com\n2. y.co.uk\n',
    Excel: 'sep=;\nHost;Note\nx.com;"two\nlines"\ny.co.uk;b\n',
  },
  json: {
    names: '["x.com","y.co.uk"]',
    objects: '[{"rank":1,"rootDomain":"www.x.com"},{"rank":2,"rootDomain":"y.co.uk"}]',
    'objects with several fields':
      '[{"name":"X","url":"https://x.com/"},{"url":"https://y.co.uk/page","host":"y.co.uk"}]',
    'an array in an object': '{"version":1,"homepage":"https://z.com","domains":["x.com","y.co.uk"]}',
    'an array in an unknown field':
      '{"meta":{"url":["z.com"]},"sellers":[{"site":"x.com","tags":["z.com"]},{"site":"y.co.uk"}]}',
    'several arrays': '{"whitelist":["a.com","b.com","c.com"],"references":["d.com"],"blacklist":["x.com","y.co.uk"]}',
    'one object per line': '{"domain":"x.com","tags":["z.com"]}\n{"domain":"y.co.uk","url":"https://z.com/"}\n',
    'arrays by category, at any depth': '{"casino":{"de":["x.com"]},"adult":["y.co.uk"]}',
    'objects with an unknown field': '{"Sheet1":[{"DomainsDisavow":"x.com"},{"DomainsDisavow":"y.co.uk"}]}',
    'names as keys': '{"updated":{"x.com":{"since":2020},"y.co.uk":{"since":2021}}}',
    'objects under different keys': '{"a":{"domain":"x.com"},"b":{"domain":"y.co.uk"}}',
    'several names in a text': '{"domains":"x.com, y.co.uk","blocked":["x.com y.co.uk"]}',
    'allowed sites in other languages':
      '{"sperrliste":["x.com"],"ausnahmen":["z.com"],"erlaubt":["z.de"],"listeNoire":["y.co.uk"],"listeBlanche":["z.fr"]}',
    'sites that were removed':
      '{"added":["x.com","y.co.uk"],"removed":["z.com"],"unlisted":["z.de"],"exclude":["z.fr"]}',
    'rules of an extension':
      '[{"action":{"type":"block"},"condition":{"requestDomains":["x.com","y.co.uk"]}},{"action":{"type":"allow"},"condition":{"requestDomains":["z.com"]}}]',
    'rules with an action':
      '{"denied-domains":["x.com"],"rules":[{"action":"allow","domains":["z.com"]},{"domains":["y.co.uk"],"action":"deny"}]}',
    'items with a status':
      '[{"domain":"x.com","status":"blocked"},{"domain":"z.com","status":"Allowed"},{"status":"ok","domain":"y.co.uk"}]',
    'items that are blocked or not':
      '[{"domain":"x.com","blocked":true},{"domain":"z.com","isBlocked":false},{"whitelisted":false,"domain":"y.co.uk"}]',
    'one object with an action per line':
      '{"domain":"z.com","action":"allow"}\n{"domain":"x.com"}\n{"domain":"y.co.uk"}\n',
    'keys that are listed or not':
      '{"x.com":true,"z.com":false,"y.co.uk":null,"z.de":"allow","z.fr":{"blocked":false}}',
    'groups with names of their own':
      '{"networks":[{"domain":"x.com","sites":[]},{"domain":"x.com","sites":["y.co.uk"]}]}',
    'other names of a site': '[{"site":"x.com","aliases":[]},{"site":"x.com","aliases":["y.co.uk"]}]',
    'a group that is named after a site':
      '{"groups":[{"name":"casino","entries":["x.com"]},{"name":"z.com","entries":["y.co.uk"]}]}',
    escapes: '\n [ "\\u0078.com" ,\t"y.co\\u002euk" ]',
  },
  dnsmasq: {
    addresses: '# c\naddress=/x.com/0.0.0.0\naddress=/y.co.uk/\nserver=/z.com/1.2.3.4\naddress=/z.com/1.2.3.4\n',
    'several names per line': 'address=/x.com/y.co.uk/#\n',
    servers: 'server=/x.com/\nlocal=/y.co.uk/\nserver=/z.com/#\ncache-size=1000\n',
  },
  rpz: {
    'a zone':
      '$TTL 1h\n@ IN SOA localhost. root.localhost. (\n  2024010101 ; serial\n  3600 ; refresh\n)\n  IN NS localhost.\n; c\n' +
      'x.com CNAME .\n*.x.com CNAME .\ny.co.uk 300 IN CNAME *.\nz.com CNAME rpz-passthru.\n32.1.2.0.192.rpz-ip CNAME .\n',
    'names with their zone':
      '$ORIGIN rpz.test.\nx.com.rpz.test. IN CNAME .\ny.co.uk CNAME rpz-drop.\nz.com CNAME www.z.com.\n',
    addresses: '@ SOA a. b. 1 2 3 4 5\nx.com IN A 0.0.0.0\ny.co.uk AAAA ::\nz.com A 1.2.3.4\n',
  },
  unbound: {
    zones:
      'server:\n  local-zone: "x.com" always_nxdomain\n  local-zone: "y.co.uk." refuse\n  local-zone: "z.com" transparent\n',
    data: 'local-data: "x.com A 0.0.0.0"\nlocal-data: "y.co.uk. 60 IN A 127.0.0.1"\nlocal-data: "z.com A 1.2.3.4"\n',
  },
  clash: {
    rules:
      'DOMAIN-SUFFIX,x.com\nDOMAIN,y.co.uk,REJECT\nDOMAIN-KEYWORD,casino\nIP-CIDR,1.2.3.0/24,no-resolve\nDOMAIN,z.com,DIRECT\n',
    'names of hosts in lower case': 'host, x.com, reject\nhost, z.com, proxy\nhost, y.co.uk, reject\n',
    'rules in lower case': 'host-suffix, x.com, reject\nhost-suffix, y.co.uk, reject\nhost-suffix, z.com, direct\n',
    'a configuration with servers':
      'port: 7890\nproxies:\n  - name: hk\n    server: z.com\n    port: 443\nrules:\n  - DOMAIN-SUFFIX,x.com,REJECT\n' +
      '  - DOMAIN,y.co.uk,REJECT-DROP\n  - DOMAIN-SUFFIX,z.de,hk\n',
    'mostly other rules':
      'rules:\n  - DOMAIN,x.com,REJECT\n  - DOMAIN,z.com,DIRECT\n  - DOMAIN,z.de,PROXY\n  - MATCH,DIRECT\n' +
      '  - DOMAIN,y.co.uk,REJECT\n  - RULE-SET,z,REJECT\n  - AND,((DOMAIN,z.com),(NETWORK,UDP)),REJECT\n',
    'a payload of names': "payload:\n  - '+.x.com'\n  - 'y.co.uk'\n",
    'a payload of rules': 'payload:\n  - DOMAIN-SUFFIX,x.com\n  - DOMAIN-SUFFIX,y.co.uk\n  - PROCESS-NAME,z.com\n',
  },
  yaml: {
    items: '# c\n- x.com\n- "y.co.uk" # c\n',
    'items of a key': 'version: 1\nhomepage: https://z.com\ndomains:\n- x.com\n- y.co.uk\n',
    'a header that is a key': 'domains:\n  - x.com\n  - y.co.uk\nallow:\n  - z.com\n',
    'allowed sites after a comment': '# c\nsites:\n- x.com\n- y.co.uk\nwhitelist:\n- z.com\n',
    'objects with an action': '- domain: x.com\n  action: block\n- action: allow\n  domain: z.com\n- domain: y.co.uk\n',
    'keys with an action': 'x.com: block\nz.com: allow\ny.co.uk: casino\n',
    'items by category': 'casino:\n  de:\n    - x.com\nadult:\n  - y.co.uk\nwhitelist:\n  - z.com\n',
    objects: '- domain: x.com\n  since: 2020\n- domain: y.co.uk\n  registrar: z.com\n',
    'names as keys': 'x.com: casino\ny.co.uk: adult\n',
    'a list in brackets': 'domains: [x.com, "y.co.uk"]\n',
  },
  map: {
    nginx:
      'map $http_referer $bad {\n  default 0;\n  hostnames;\n  x.com 1;\n  "*.y.co.uk" 1;\n  z.com 0;\n  ~*casino 1;\n}\n',
    'referers that nginx allows':
      'valid_referers none blocked server_names\n  *.z.com;\nif ($http_referer ~* (z.de|z.fr)) { return 403; }\nx.com 1;\ny.co.uk 1;\n',
    Apache: '# c\nx.com deny\ny.co.uk deny\nz.com allow\n',
  },
};

const cases = Object.entries(lists).flatMap(([format, texts]) =>
  Object.entries(texts).map(([title, text]) => ({ format: format as FeedFormat, title, text })),
);

test.for(cases)('$format: $title', async ({ format, text }) => {
  const expected = { format, names: ['x.com', 'y.co.uk'], rejected: {}, left: [] };
  expect(await reader.read(text)).toMatchObject(expected);
  expect(await reader.read(text, format)).toMatchObject(expected);
  expect(await reader.read(gzipSync(text))).toMatchObject(expected);
  expect(await reader.read(zipSync({ 'list.txt': strToU8(text) }))).toMatchObject(expected);
  const crlf = `\ufeff${text.replaceAll('\n', '\r\n')}`;
  expect(await reader.read(crlf)).toMatchObject(expected);
  expect(await reader.read(Buffer.from(crlf, 'utf16le'))).toMatchObject(expected);
  expect(await reader.read(text.replaceAll('\n', '\r'))).toMatchObject(expected);
});

const otherColumns: [header: string, others: string][] = [
  ['Sitio web,Destino', 'Destino'],
  ['Сайт,Акцептор', 'Акцептор'],
  ['Domaine,Redirigé vers', 'Redirigé vers'],
  ['Domaine,Concurrent', 'Concurrent'],
  ['Webseite,Marktplatz', 'Marktplatz'],
  ['Seite,Verlinkt auf', 'Verlinkt auf'],
  ['Seite,Verkäufer', 'Verkäufer'],
  ['Sito web,Fonte', 'Fonte'],
  ['Domain,Domain (alt)', 'Domain (alt)'],
  ['Liste,Ausnahmen', 'Ausnahmen'],
];

test.each(otherColumns)('of the columns %s, %s is counted and not read', async (header, others) => {
  const rows = [header, ...['a', 'b', 'c'].map((name) => `${name}1.com,${name}2.com`)];
  for (const lines of [rows, rows.map((row) => row.split(',').toReversed().join(','))]) {
    const { names, rejected } = await reader.read(lines.join('\n'));
    expect([names, rejected]).toMatchObject([['a1.com', 'b1.com', 'c1.com'], { [`unread:${others}`]: 3 }]);
  }
});

test('fields that contain the name of an excluded one are read', async () => {
  const fields = {
    malicious: ['a.com'],
    unsafe: ['b.com'],
    untrusted: ['c.com'],
    resources: ['d.com'],
    safe: ['e.com'],
  };
  expect(await reader.read(JSON.stringify(fields))).toMatchObject({ names: ['a.com', 'b.com', 'c.com', 'd.com'] });
});

test('addresses of pages in a disavow file, a CSV and JSON are counted and never become domains', async () => {
  expect(await reader.read('domain:x.com\nhttps://y.com/page\nhttps://z.com/page?id=1\n')).toMatchObject({
    format: 'disavow',
    names: ['x.com'],
    rejected: { path: 2 },
  });
  expect(await reader.read('url,note\nhttps://x.com/,a\nhttps://y.com/page,b\n,c\n')).toMatchObject({
    names: ['x.com'],
    rejected: { path: 1, invalid: 1 },
  });
  expect(await reader.read('["x.com","y.com/page",null,7,["z.com"],{"note":"z.com"},"1.2.3.4"]')).toMatchObject({
    names: ['x.com', 'z.com'],
    rejected: { path: 1, invalid: 2, ip: 1 },
  });
});

test('all text files of an archive are one list, without descriptions and the files of operating systems', async () => {
  const archive = zipSync({
    'README.md': strToU8('readme.com\n'),
    '__MACOSX/._a.txt': strToU8('system.com\n'),
    'lists/a.txt': strToU8('a.com\na.com/page\n'),
    'lists/b.csv': strToU8('domain,note\nb.com,x\nbb.com,y\n'),
    'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]),
  });
  expect(await reader.read(archive)).toMatchObject({
    format: 'csv',
    names: ['a.com', 'b.com', 'bb.com'],
    rejected: { path: 1 },
    left: [],
  });
});

test('a workbook is read as CSV', async () => {
  const workbook = buildXlsx({
    Sites: [
      ['Domain', 'Price'],
      ['x.com', '1'],
      ['y.com', '2'],
    ],
  });
  expect(await reader.read(workbook)).toMatchObject({ format: 'csv', names: ['x.com', 'y.com'] });
});

const noise = () => Array.from({ length: 5000 }, (_, i) => `name-${(i * 7919) % 104729}.com`).join('\n');
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)]);
const failures: Record<string, { content: string | Uint8Array; code: string; format?: FeedFormat }> = {
  'a web page': { content: '<!DOCTYPE html><title>Sign in</title>x.com', code: 'web_page' },
  'a part of a web page': { content: '\n  <div>Not found</div>\nx.com', code: 'web_page' },
  'a web page despite a given format': { content: '<html>\nx.com\n', code: 'web_page', format: 'plain' },
  XML: { content: '<rss version="2.0"></rss>', code: 'web_page' },
  'a gzipped web page': { content: gzipSync('<html></html>'), code: 'web_page' },
  'an image': { content: png, code: 'binary' },
  'bytes with NUL': { content: 'x.com\ny.com\0\n', code: 'binary' },
  'a PDF document': { content: '%PDF-1.7\nx.com', code: 'document' },
  'an empty file': { content: '', code: 'empty' },
  'blank lines': { content: ' \r\n\r\n', code: 'empty' },
  'only comments': { content: '# x.com\n! y.com\n', code: 'empty' },
  'only comments with a given format': { content: '# x.com\n', code: 'empty', format: 'plain' },
  'a message': { content: 'Rate limit exceeded. Try again later.', code: 'no_rows' },
  'only pages': { content: 'x.com/page\ny.com/page\n', code: 'no_rows' },
  'a header without rows': { content: 'domain,note\n', code: 'empty', format: 'csv' },
  'a CSV without domains': { content: 'a,b\n1,2\n', code: 'missing_columns', format: 'csv' },
  'an error in JSON': { content: '{"error":"Not found","url":"https://x.com"}', code: 'json' },
  'truncated JSON': { content: '["x.com","y.com"', code: 'json' },
  'truncated JSON in an object': { content: '{"domains":["x.com","y.com"]', code: 'json' },
  'JSON with text after it': { content: '["x.com"] and more', code: 'json' },
  'two JSON arrays': { content: '["x.com"]["y.com"]', code: 'json' },
  'JSON of great depth': { content: `["x.com",${'['.repeat(1000)}${']'.repeat(1000)}]`, code: 'json' },
  'names as JSON': { content: 'x.com\n', code: 'json', format: 'json' },
  'an empty array': { content: '[]', code: 'empty' },
  'truncated gzip': { content: gzipSync(noise()).subarray(0, 9000), code: 'archive' },
  'truncated zip': { content: zipSync({ 'a.txt': strToU8(noise()) }).subarray(0, 9000), code: 'archive' },
  'an empty zip': { content: zipSync({}), code: 'archive' },
  'a truncated archive in a zip': {
    content: zipSync({ 'a.txt': strToU8('x.com'), 'b.gz': gzipSync(noise()).subarray(0, 9000) }),
    code: 'archive',
  },
  'a bomb': { content: gzipSync(Buffer.alloc(30 * 1024 ** 2, 'a')), code: 'too_large' },
};

test.for(Object.entries(failures).map(([title, failure]) => ({ title, ...failure })))(
  'fails with a reason: $title',
  async ({ content, code, format }) => {
    const error = await reader.read(content, format).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'UnreadableFile', code });
    expect((error as Error).message).toMatch(/^[A-Z].*\.$/);
    expect((error as Error).message).not.toMatch(/upload|export|CSV file/i);
    expect(await reader.listLeftFiles()).toEqual([]);
  },
);

test('a long list is passed on in parts, and its last line counts without a line end', async () => {
  const names = Array.from({ length: 30_000 }, (_, i) => `name-${i}.com`);
  const { names: read, shares } = await reader.read(names.join('\n'));
  expect(read).toEqual(names);
  expect(shares.length).toBeGreaterThan(3);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});

test('a line of megabytes is one invalid line', async () => {
  const long = 'y.com '.repeat(1_000_000);
  expect(await reader.read(`x.com\n${long}\nz.com`)).toMatchObject({
    format: 'plain',
    names: ['x.com', 'z.com'],
    rejected: { invalid: 1 },
  });
  expect(await reader.read(long).catch((error) => error.code)).toBe('no_rows');
});
