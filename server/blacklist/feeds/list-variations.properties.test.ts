import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { numRuns } from '../../num-runs.fixtures.ts';
import { allowingLists } from '../list-formats/allowing-lists.fixtures.ts';
import { startListReader } from './read-list.fixtures.ts';

let reader: Awaited<ReturnType<typeof startListReader>>;
beforeAll(async () => {
  reader = await startListReader();
});
afterAll(() => reader.stop());

const runs = { numRuns: Math.max(25, numRuns(100)) };
const nameLists = fc.uniqueArray(
  fc.stringMatching(/^[a-z]{3,8}-[a-z0-9]{2,6}$/).map((label) => `${label}.com`),
  { minLength: 4, maxLength: 12 },
);

const readSorted = async (text: string) => {
  const { names, rejected } = await reader.read(text);
  return { names: names.toSorted(), rejected };
};

/** Splits names into groups, and puts each into an array, an object or deeper. */
const trees = fc.tuple(nameLists, fc.infiniteStream(fc.nat(5))).map(([names, random]) => {
  const next = () => Number(random.next().value);
  const toGroup = (group: string[]): unknown => {
    const kind = next();
    if (kind === 0) return group.map((name) => ({ Seller: name, since: 2020 }));
    if (kind === 1) return group.map((name) => ({ domain: name, note: 'sells links' }));
    if (kind === 2) return Object.fromEntries(group.map((name) => [name, { since: 2020 }]));
    if (kind === 3) return { deeper: { list: group } };
    return group;
  };
  const size = 1 + (next() % 3);
  const groups: Record<string, unknown> = { version: 2, homepage: 'https://about.org/' };
  for (let from = 0; from < names.length; from += size) {
    groups[`group ${'abcdefghijkl'.charAt(from)}`] = toGroup(names.slice(from, from + size));
  }
  return { names, groups };
});

test('names in arrays, fields and keys at any depth of a JSON file are all read', async () => {
  await fc.assert(
    fc.asyncProperty(trees, async ({ names, groups }) => {
      const { names: read } = await readSorted(JSON.stringify(groups));
      expect(read).toEqual(names.toSorted());
    }),
    runs,
  );
});

test('names that a JSON file excludes are counted with their path and not read', async () => {
  const places = fc.constantFrom('whitelist', 'allowed', 'exceptions', 'references', 'sources', 'mirrors');
  await fc.assert(
    fc.asyncProperty(trees, places, nameLists, async ({ names, groups }, place, others) => {
      const excluded = others.filter((name) => !names.includes(name));
      fc.pre(excluded.length > 0);
      const { names: read, rejected } = await readSorted(JSON.stringify({ ...groups, [place]: excluded }));
      expect(read).toEqual(names.toSorted());
      expect(rejected).toMatchObject({ [`unread:${place}[]`]: excluded.length });
    }),
    runs,
  );
});

const twoLists = nameLists.map((names) => [names.slice(0, 2), names.slice(2)] as const);

test.for(Object.entries(allowingLists))('sites that a list allows are not read: %s', async ([, write]) => {
  await fc.assert(
    fc.asyncProperty(twoLists, async ([blocked, allowed]) => {
      const { names } = await readSorted(write(blocked, allowed));
      expect(names).toEqual(blocked.toSorted());
    }),
    runs,
  );
});

test('objects of JSON that are allowed are not read', async () => {
  const flags = fc.constantFrom(
    { action: { type: 'allow' } },
    { rule: { action: 'allow' } },
    { kind: 'allow' },
    { verdict: 'benign' },
    { whitelist: 1 },
    { blocked: 0 },
    { delisted: '2024-03-05' },
  );
  await fc.assert(
    fc.asyncProperty(twoLists, flags, async ([blocked, allowed], flag) => {
      const items = [...blocked.map((domain) => ({ domain })), ...allowed.map((domain) => ({ domain, ...flag }))];
      const { names, rejected } = await readSorted(JSON.stringify(items));
      expect([names, rejected]).toEqual([blocked.toSorted(), { exception: allowed.length }]);
    }),
    runs,
  );
});

const toYaml = (value: unknown, indent = ''): string => {
  if (Array.isArray(value)) {
    return value
      .map((item) =>
        typeof item === 'string'
          ? `${indent}- ${item}\n`
          : toYaml(item, `${indent}  `).replace(`${indent}  `, `${indent}- `),
      )
      .join('');
  }
  return Object.entries(value as Record<string, unknown>)
    .map(([key, item]) =>
      typeof item === 'object' ? `${indent}${key}:\n${toYaml(item, `${indent}  `)}` : `${indent}${key}: ${item}\n`,
    )
    .join('');
};

test('a YAML file is read like the same JSON file', async () => {
  await fc.assert(
    fc.asyncProperty(trees, async ({ names, groups }) => {
      const { format, names: read } = await reader.read(toYaml(groups));
      expect([format, read.toSorted()]).toEqual(['yaml', names.toSorted()]);
    }),
    runs,
  );
});

test('all columns of domains side by side are read, with and without a header', async () => {
  const headers = fc.constantFrom(undefined, ['FI', 'IT', 'NL'], ['Finland', 'Italia', 'Nederland'], ['1', '2', '3']);
  const delimiters = fc.constantFrom(',', ';', '\t', '|');
  await fc.assert(
    fc.asyncProperty(nameLists, headers, delimiters, async (names, header, delimiter) => {
      const rows: (readonly string[])[] = header ? [header] : [];
      for (let from = 0; from < names.length; from += 3) {
        rows.push([0, 1, 2].map((at) => names[from + at] ?? ''));
      }
      const text = rows.map((row) => `${row.join(delimiter)}\n`).join('');
      expect((await readSorted(text)).names).toEqual(names.toSorted());
    }),
    runs,
  );
});

test('a column that says where names were found is counted and not read', async () => {
  const sources = fc.constantFrom('Source', 'Found on', 'Target domain', 'Registrar', 'Linked to');
  await fc.assert(
    fc.asyncProperty(nameLists, sources, fc.boolean(), async (names, source, isFirst) => {
      const rows = [['Site', source], ...names.map((name, i) => [name, i % 2 === 0 ? 'ahrefs.com' : 'seller.org'])].map(
        (row) => (isFirst ? row.toReversed() : row).join(','),
      );
      const { names: read, rejected } = await readSorted(rows.join('\n'));
      expect(read).toEqual(names.toSorted());
      expect(rejected).toMatchObject({ [`unread:${source}`]: names.length });
    }),
    runs,
  );
});

/** How lists of blocked sites write a name, by format. */
const writers: Record<string, readonly ((name: string) => string)[]> = {
  dnsmasq: [(name) => `address=/${name}/0.0.0.0`, (name) => `address=/${name}/`, (name) => `server=/${name}/`],
  rpz: [(name) => `${name} CNAME .`, (name) => `${name} 60 IN CNAME *.`, (name) => `*.${name} IN CNAME rpz-drop.`],
  unbound: [
    (name) => `local-zone: "${name}" always_null`,
    (name) => `  local-zone: ${name}. static`,
    (name) => `local-data: "${name} 60 IN A 0.0.0.0"`,
  ],
  clash: [
    (name) => `DOMAIN-SUFFIX,${name}`,
    (name) => `DOMAIN,${name},REJECT`,
    (name) => `HOST-SUFFIX,${name},reject`,
    (name) => `  - '+.${name}'`,
    (name) => `- DOMAIN-SUFFIX,${name}`,
  ],
  map: [(name) => `${name} 1;`, (name) => `"${name}"   "bad";`, (name) => `.${name} 1; # comment`],
};

test.for(Object.entries(writers))('every way to write a rule of %s is read', async ([format, write]) => {
  await fc.assert(
    fc.asyncProperty(nameLists, fc.nat(10), fc.constantFrom('\n', '\r\n'), async (names, start, end) => {
      const lines = names.map((name, i) => write[(start + i) % write.length]?.(name));
      const result = await reader.read(`# a comment${end}${lines.join(end)}${end}`);
      expect(result.names.toSorted()).toEqual(names.toSorted());
      expect(result.format).toBe(format);
    }),
    runs,
  );
});

test('a name without the space after its address is rejected with this reason', async () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9]{2,8}$/);
  await fc.assert(
    fc.asyncProperty(label, fc.constantFrom('0.0.0.0', '127.0.0.1'), async (text, address) => {
      const lines = [`${address} good.com`, `${address}${text}.com`, `0.0.0.0.${text}.com`, `${text}.org`];
      expect(await reader.read(lines.join('\n'))).toMatchObject({
        names: ['good.com', `0.0.0.0.${text}.com`, `${text}.org`],
        rejected: { space: 1 },
      });
    }),
    runs,
  );
});

test('the first line of a list without a header is counted if it is no domain', async () => {
  const firsts = fc.constantFrom('spam,com', '10.1.2.3', 'someone@spam.com', 'spam..com', 'http//spam.com', 'spam');
  await fc.assert(
    fc.asyncProperty(firsts, nameLists, async (first, names) => {
      const { names: read, rejected } = await readSorted([first, ...names].join('\n'));
      expect(read).toEqual(names.toSorted());
      expect(Object.values(rejected)).toEqual([1]);
    }),
    runs,
  );
});
