import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { normalizeHost } from '../../hostnames/hosts/hosts.ts';
import { numRuns } from '../../num-runs.fixtures.ts';
import { buildLines, createFileReader } from './odd-files.fixtures.ts';

let file: Awaited<ReturnType<typeof createFileReader>>;
beforeAll(async () => {
  file = await createFileReader();
});
afterAll(() => file.remove());

/** A fifth of the runs are at least 20 variations. */
const runs = { numRuns: numRuns(125) };
const own = 'https://mine.example/';
const label = fc.stringMatching(/^[a-z][a-z0-9]{3,8}$/);
const host = fc.tuple(label, fc.constantFrom('com', 'de', 'co.uk', 'example')).map((parts) => parts.join('.'));
const page = fc
  .record({ host, path: fc.constantFrom('', 'a', 'a/b.html', '?q=1', 'list/') })
  .map(({ host, path }) => `https://${host}/${path}`);
const pages = (minLength: number, maxLength = 12) =>
  fc.uniqueArray(page, { minLength, maxLength, selector: (one) => new URL(one).hostname });
const delimiter = fc.constantFrom(',', ';', '\t', '|');
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
const toLine = (cells: readonly string[], delimiter: string) =>
  cells.map((cell) => (cell.includes(delimiter) || cell.includes('"') ? quote(cell) : cell)).join(delimiter);
const hostsOf = (links: readonly string[]) => links.map((link) => normalizeHost(link));

test('a column with few sites is not the source, whatever its place and name', async () => {
  const source = fc.constantFrom('Source', 'From', 'Link source', 'Quelle', 'Found by', 'Marketplace');
  const name = fc.constantFrom('URL', 'Link', 'Page', 'Backlink', 'Address');
  const tools = fc.constantFrom('ahrefs.com', 'https://semrush.com/', 'market.example');
  await fc.assert(
    fc.asyncProperty(
      pages(6),
      fc.tuple(source, name),
      fc.array(tools),
      fc.boolean(),
      async (links, [source, name], some, isFirst) => {
        const from = (i: number) => some[i % Math.max(some.length, 1)] ?? 'ahrefs.com';
        const toRow = (link: string, tool: string) => (isFirst ? `${tool},${link}` : `${link},${tool}`);
        const rows = links.map((link, i) => toRow(link, from(i)));
        const result = await file.read(buildLines(toRow(name, source), ...rows), { ask: true });
        expect(result.pages).toEqual(links);
      },
    ),
    runs,
  );
});

test('exactly the links to the website, its subdomains and its parent are read', async () => {
  const target = fc.constantFrom(
    { url: own, isOwn: true },
    { url: 'http://www.mine.example', isOwn: true },
    { url: 'https://a.b.mine.example/x?y', isOwn: true },
    { url: 'MINE.example/page', isOwn: true },
    { url: '', isOwn: true },
    { url: '/relative', isOwn: true },
    { url: 'https://client.example/', isOwn: false },
    { url: 'https://notmine.example/', isOwn: false },
    { url: 'https://mine.example.org/', isOwn: false },
    { url: 'other.com', isOwn: false },
  );
  const names = fc.constantFrom('Target URL', 'Linked page', 'Destination', 'Cible', 'Linkziel', 'To');
  await fc.assert(
    fc.asyncProperty(pages(2), fc.array(target), names, delimiter, async (links, some, name, delimiter) => {
      const targets = links.map((_, i) =>
        i === 0 ? { url: own, isOwn: true } : (some[i % Math.max(some.length, 1)] ?? { url: own, isOwn: true }),
      );
      const rows = links.map((link, i) => toLine(['5', link, targets[i]?.url ?? ''], delimiter));
      const result = await file.read(buildLines(['DR', 'Referring page URL', name].join(delimiter), ...rows), {
        ask: true,
      });
      const expected = links.filter((_, i) => targets[i]?.isOwn);
      expect(result.pages).toEqual(expected);
      const foreign = links.length - expected.length;
      expect(result.formats[0]?.skipped.map(({ reason, count }) => ({ reason, count }))).toEqual(
        foreign === 0 ? [] : [{ reason: 'another site', count: foreign }],
      );
    }),
    runs,
  );
});

/** Headers of tables of different widths and orders, with the column of the source. */
const tables = [
  { header: ['Source url', 'Target url', 'Anchor'], cells: (link: string) => [link, own, 'x'] },
  {
    header: ['Page ascore', 'Source title', 'Source url', 'Target url'],
    cells: (link: string) => ['5', 'T', link, own],
  },
  { header: ['Linking page', 'Last crawled'], cells: (link: string) => [link, '2025-01-02'] },
  {
    header: ['Target URL', 'Source URL', 'FlagNoFollow', 'First seen'],
    cells: (link: string) => [own, link, '-', '2025-01-02'],
  },
  { header: ['Domain', 'DR', 'Links to target'], cells: (link: string) => [new URL(link).hostname, '5', '3'] },
  { header: ['URL'], cells: (link: string) => [link] },
];
const table = fc.record({ kind: fc.constantFrom(...tables), links: pages(1, 5), gap: fc.nat(2), delimiter });

test('no row of tables below each other is lost, nor are rows above the first header', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(table, { minLength: 2, maxLength: 4 }),
      pages(1, 4),
      fc.boolean(),
      async (some, list, hasList) => {
        const above = hasList ? list.map((link) => `${link},added by hand`) : [];
        const lines = some.flatMap(({ kind, links, gap, delimiter }) => [
          kind.header.join(delimiter),
          ...links.map((link) => kind.cells(link).join(delimiter)),
          ...Array.from({ length: gap }, () => ''),
        ]);
        const result = await file.read(buildLines(...above, ...lines), { ask: true });
        const expected = [...(hasList ? list : []), ...some.flatMap(({ links }) => links)];
        const read = result.links.map(({ host }) => result.hosts[host]);
        expect(read).toEqual(hostsOf(expected));
        expect(result.skipped.filter(({ reason }) => reason !== 'empty')).toEqual([]);
      },
    ),
    runs,
  );
});

test('a date that decides the order of its column decides it for all, and without one no date is wrong', async () => {
  const date = fc.record({
    year: fc.integer({ min: 2000, max: 2024 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
  });
  const order = fc.constantFrom('day', 'month');
  await fc.assert(
    fc.asyncProperty(
      fc.array(date, { minLength: 1, maxLength: 300 }),
      order,
      fc.constantFrom('/', '-'),
      fc.boolean(),
      async (dates, order, separator, isPadded) => {
        const pad = (number: number) => (isPadded ? String(number).padStart(2, '0') : String(number));
        const toText = ({ year, month, day }: { year: number; month: number; day: number }) =>
          [...(order === 'day' ? [pad(day), pad(month)] : [pad(month), pad(day)]), year].join(separator);
        const rows = dates.map((one, i) => `https://page${i}.example/,${toText(one)}`);
        const result = await file.read(buildLines('Source url,First seen', ...rows));
        const isDecided = dates.some(({ day }) => day > 12);
        const toIso = ({ year, month, day }: { year: number; month: number; day: number }) =>
          `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        expect(result.links.map(({ firstSeen }) => firstSeen)).toEqual(
          dates.map((one) => (isDecided || one.day === one.month ? toIso(one) : undefined)),
        );
      },
    ),
    runs,
  );
});

test('whole lines in quotation marks change nothing', async () => {
  const text = fc.constantFrom('x', '', 'cheap, links', 'say "hi"', 'a; b', 'Grüße');
  const wraps: ((line: string) => string)[] = [
    quote,
    (line) => (line.includes('"') ? quote(line) : line),
    (line) => `${quote(line)},,`,
    (line) => `${quote(line)};`,
  ];
  await fc.assert(
    fc.asyncProperty(
      pages(2),
      fc.array(text, { minLength: 12, maxLength: 12 }),
      fc.tuple(fc.constantFrom(...wraps), delimiter),
      fc.boolean(),
      async (links, texts, [wrap, delimiter], isLast) => {
        const toCells = (link: string, text: string) => (isLast ? [text, own, link] : [link, own, text]);
        const lines = [toCells('Source url', 'Anchor'), ...links.map((link, i) => toCells(link, texts[i] ?? ''))].map(
          (cells) =>
            toLine(
              cells.map((cell) => (cell === own && cells.includes('Anchor') ? 'Target url' : cell)),
              delimiter,
            ),
        );
        const plain = await file.read(buildLines(...lines));
        const wrapped = await file.read(buildLines(...lines.map(wrap)));
        expect(wrapped.links).toEqual(plain.links);
        expect(wrapped.pages).toEqual(links);
        expect(wrapped.formats).toEqual(plain.formats);
      },
    ),
    runs,
  );
});

test('an address anywhere in its cell is read, and HTML is too', async () => {
  const around: ((link: string) => string)[] = [
    (link) => `Cheap posts ${link}`,
    (link) => `Cheap posts (${link})`,
    (link) => `Cheap posts - ${link}, 2024`,
    (link) => `12. A title | ${link}`,
    (link) => `2024-05-06 ${link}`,
    (link) => `Source: ${link} Target: ${own}`,
    (link) => `<a href="${link}" target="_blank">Title</a>`,
    (link) => `<a rel=nofollow href='${link}'>Title</a>`,
    (link) => `<li><b>${link}</b></li>`,
    (link) => `Read <a href="${link}">this</a>`,
    (link) => `&lt;a href=&quot;${link}&quot;&gt;T&lt;/a&gt;`,
    (link) => `Title “${link}”`,
  ];
  const name = fc.constantFrom('Linking page', 'Referring page', 'Backlink', 'Title + URL', 'Seite und Adresse');
  await fc.assert(
    fc.asyncProperty(pages(2), fc.constantFrom(...around), name, fc.boolean(), async (links, toText, name, isMixed) => {
      const cells = links.map((link, i) => (isMixed && i % 2 === 1 ? link : toText(link)));
      const result = await file.read(buildLines(`${name},DR`, ...cells.map((cell) => `${quote(cell)},5`)));
      expect(result.pages).toEqual(links);
    }),
    runs,
  );
});

test('invisible characters at the ends of addresses change nothing', async () => {
  const invisible = fc.constantFrom(
    ...'\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u2060\u2066\u2068\u2069\ufe0f\ufeff\ufffc\u00a0\u3164',
    '\u{e0001}',
  );
  const ends = fc.tuple(fc.array(invisible, { maxLength: 3 }), fc.array(invisible, { maxLength: 3 }));
  await fc.assert(
    fc.asyncProperty(
      pages(2),
      ends,
      fc.constantFrom('Linking page', ''),
      fc.boolean(),
      async (links, [before, after], header, isDomain) => {
        const cells = isDomain ? links.map((link) => new URL(link).hostname) : links;
        const lines = cells.map((cell) => before.join('') + cell + after.join(''));
        const result = await file.read(buildLines(...(header ? [header] : []), ...lines));
        expect(result.pages).toEqual(cells);
      },
    ),
    runs,
  );
});

test('names of columns with dots are a header above pages', async () => {
  const word = fc.constantFrom('source', 'target', 'backlink', 'referring', 'linking');
  const end = fc.constantFrom('link', 'page', 'domain', 'url', 'website');
  await fc.assert(
    fc.asyncProperty(pages(2), word, end, fc.boolean(), async (links, word, end, isList) => {
      const lines = isList ? links : links.map((link) => `${link},5`);
      const header = `${word}.${end}${isList ? '' : ',score'}`;
      const result = await file.read(buildLines(header, ...lines)).catch((error: Error) => error.message);
      // The name of a target is that of a list of own pages.
      if (word === 'target') return;
      expect(result).toMatchObject({ pages: links, skipped: [] });
    }),
    runs,
  );
});

test('columns have names with hyphens, underscores and dots in any case', async () => {
  const header = fc.constantFrom(
    ['source url', 'target url', 'anchor text', 'link type'],
    ['url source', 'cible', 'ancrage', 'type de lien'],
    ['enlace de origen', 'destino', 'ancla', 'tipo'],
    ['quell url', 'linkziel', 'linktext', 'linktyp'],
  );
  const spellings: ((name: string) => string)[] = [
    (name) => name,
    (name) => name.toUpperCase(),
    (name) => name.replaceAll(' ', '-'),
    (name) => name.replaceAll(' ', '_'),
    (name) => ` ${name} `,
    (name) => `\u200b${name}`,
  ];
  await fc.assert(
    fc.asyncProperty(
      pages(2),
      header,
      fc.constantFrom(...spellings),
      fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
      async (links, names, spell, order) => {
        const toRow = (cells: string[]) => order.map((column) => cells[column] ?? '').join(';');
        const rows = links.map((link) => toRow([link, own, 'text', 'NoFollow']));
        const result = await file.read(buildLines(toRow(names.map(spell)), ...rows), { ask: true });
        expect(result.links).toMatchObject(links.map((page) => ({ page, anchor: 'text', targetPage: own, flags: 2 })));
      },
    ),
    runs,
  );
});

test('hosts whose letters were read in another encoding are repaired', async () => {
  const name = fc.constantFrom(
    'bücher.info',
    'пример.рф',
    '日本語.jp',
    'straße.de',
    'i❤.ws',
    'łódź.pl',
    'παράδειγμα.gr',
    'ישראל.com',
    '한국.com',
  );
  const encoding = fc.constantFrom('windows-1252', 'windows-1251', 'windows-1250', 'windows-1254');
  await fc.assert(
    fc.asyncProperty(name, encoding, fc.nat(2), async (name, encoding, times) => {
      let damaged: string = name;
      for (let i = 0; i < Math.min(times, 1); i += 1) damaged = new TextDecoder(encoding).decode(Buffer.from(damaged));
      const result = await file.read(buildLines('Source url', `http://${damaged}/a`, 'https://one.example/'));
      expect(result.hosts).toEqual([normalizeHost(name), 'one.example']);
    }),
    runs,
  );
});

test('a disavow file is recognized if at least a quarter of its lines are domains', async () => {
  const line = fc.oneof(
    host.map((name) => `domain:${name}`),
    host.map((name) => `domain: www.${name} # spam`),
    page,
    fc.constantFrom('# a comment, with a comma', '', 'DOMAIN:UPPER.example'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), host, async (lines, name) => {
      const pages = lines.filter((text) => text.startsWith('http')).length;
      const content = buildLines(
        ...lines,
        ...Array.from({ length: Math.ceil(pages / 3) + 1 }, (_, i) => `domain:d${i}.${name}`),
      );
      await expect(file.read(content, { ask: true })).rejects.toMatchObject({ question: { about: 'disavow' } });
    }),
    runs,
  );
});
