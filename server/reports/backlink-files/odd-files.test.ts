import { afterAll, beforeAll, expect, test } from 'vitest';
import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import { buildLines, createFileReader } from './odd-files.fixtures.ts';

let file: Awaited<ReturnType<typeof createFileReader>>;
beforeAll(async () => {
  file = await createFileReader();
});
afterAll(() => file.remove());

const own = 'https://mine.example/';

test('a column that says where the rows came from is not the source', async () => {
  const pages = [
    'https://one.example/a',
    'https://two.example/b',
    'https://x.three.example/c',
    'https://four.example/d',
  ];
  const tools = ['ahrefs.com', 'semrush.com', 'majestic.com', 'ahrefs.com'];
  for (const name of ['URL', 'Link', 'Domain', 'Website', 'Backlink', 'Seite']) {
    for (const source of ['Source', 'From', 'Quelle', 'Found by', 'Fuente']) {
      const isDomain = name === 'Domain' || name === 'Website';
      const cells = isDomain ? pages.map((page) => new URL(page).hostname) : pages;
      for (const order of [(a: string, b: string) => `${a},${b}`, (a: string, b: string) => `${b},${a}`]) {
        const text = buildLines(order(name, source), ...cells.map((cell, i) => order(cell, tools[i] ?? '')));
        expect((await file.read(text)).pages, text).toEqual(cells);
      }
    }
  }
});

test('a column of linking domains is the source, whatever else the file names', async () => {
  const text = buildLines('Source,URL', 'one.example,https://mine.example/', 'two.example,https://mine.example/x');
  expect((await file.read(text, { ask: true })).hosts).toEqual(['one.example', 'two.example']);
});

test('a question is asked if both columns can be the source', async () => {
  const text = buildLines('URL,Source', 'https://one.example/a,tool.example', 'https://two.example/b,market.example');
  await expect(file.read(text, { ask: true })).rejects.toMatchObject({ question: { about: 'column' } });
  expect((await file.read(text)).hosts).toEqual(['one.example', 'two.example']);
});

test('links to other sites are skipped and counted', async () => {
  const rows = [
    own,
    'https://client.example/',
    'www.mine.example/x',
    'https://blog.mine.example',
    '',
    '/page',
    'https://mine.example.evil.example/',
  ];
  const text = buildLines('Source url,Target url', ...rows.map((target, i) => `https://page${i}.example/,${target}`));
  const result = await file.read(text, { ask: true });
  expect(result.hosts).toEqual([0, 2, 3, 4, 5].map((i) => `page${i}.example`));
  expect(result.skipped).toEqual([{ reason: 'another site', lines: [3, 8] }]);
});

test('the website of a subdomain has the links to its parent, but not those to its siblings', async () => {
  const targets = [
    'https://blog.mine.example/a',
    'https://mine.example/',
    'https://shop.mine.example/',
    'https://en.blog.mine.example/',
  ];
  const text = buildLines(
    'Source url,Target url',
    ...targets.map((target, i) => `https://page${i}.example/,${target}`),
  );
  const result = await file.read(text, { ask: true, own: 'blog.mine.example' });
  expect(result.hosts).toEqual(['page0.example', 'page1.example', 'page3.example']);
});

test('links that all point to other sites are read after a question', async () => {
  const text = buildLines(
    'Source url,Target url',
    'https://one.example/,https://old.example/',
    'https://two.example/,https://old.example/',
    'https://three.example/,https://other.example/',
  );
  const site = 'old.example and 1 other site';
  await expect(file.read(text, { ask: true })).rejects.toMatchObject({ question: { about: 'site', site } });
  expect((await file.read(text, { ask: true, sites: [site] })).backlinks).toBe(3);
});

test('rows above the header and tables below each other are read', async () => {
  const by = (text: string) => file.read(text).then(({ hosts, skipped }) => ({ hosts, skipped }));
  expect(
    await by(
      buildLines(
        'Source url,Target url,Anchor',
        `https://one.example/a,${own},x`,
        '',
        'Page ascore,Source title,Source url,Target url',
        `5,T,https://two.example/c,${own}`,
        'x,y,nothing,z',
      ),
    ),
  ).toEqual({
    hosts: ['one.example', 'two.example'],
    skipped: [
      { reason: 'empty', lines: [3] },
      { reason: 'not an address', lines: [6] },
    ],
  });
  const above = await by(
    buildLines('https://one.example/a,added by hand', 'Source url,Target url,Anchor', `https://two.example/,${own},x`),
  );
  expect(above).toEqual({ hosts: ['one.example', 'two.example'], skipped: [] });
});

test('a file of many headers is read in one pass', { timeout: 30_000 }, async () => {
  const headers = Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? 'Source url,Target url' : 'Target url,Anchor'));
  // Without the limit of headers, each of these takes longer than the test may.
  await expect(file.read(buildLines(...headers))).rejects.toMatchObject({ code: 'no_rows' });
  const mixed = await file.read(buildLines('url', 'https://one.example/', ...headers));
  expect(mixed).toMatchObject({ hosts: ['one.example'] });
});

test('the dates of a column have one order', async () => {
  const dates = (header: string, ...values: string[]) =>
    file
      .read(buildLines(`Source url,${header}`, ...values.map((value, i) => `https://page${i}.example/,${value}`)))
      .then(({ links }) => links.map(({ firstSeen }) => firstSeen));
  expect(await dates('First seen', '05/03/2024', '12/03/2024', '30/04/2024')).toEqual([
    '2024-03-05',
    '2024-03-12',
    '2024-04-30',
  ]);
  expect(await dates('First seen', '05/03/2024', '04/30/2024')).toEqual(['2024-05-03', '2024-04-30']);
  expect(await dates('First seen', '05/03/2024')).toEqual([undefined]);
  expect(await dates('Zuerst gesehen', '05/03/2024')).toEqual(['2024-03-05']);
});

test('cells with a title and a URL, and cells of HTML, are read as their first URL', async () => {
  const cells = [
    'Cheap posts https://one.example/a',
    'Cheap posts (https://one.example/a)',
    '1) Cheap: https://one.example/a',
    'Source: https://one.example/a Target: https://mine.example/',
    '<a href=""https://one.example/a"" rel=x>Title</a>',
    "<li><a href='https://one.example/a'>x</a></li>",
    '&lt;a href=https://one.example/a&gt;',
  ];
  for (const cell of cells) {
    for (const name of ['Referring page', 'Something + URL']) {
      const result = await file.read(buildLines(`${name},DR`, `"${cell}",5`, '"Fine (https://two.example/b)",6'));
      expect(result.hosts, cell).toEqual(['one.example', 'two.example']);
      expect(result.pages[0]).toBe('https://one.example/a');
    }
  }
});

test('a text with a URL in a list of domains is no row of it', async () => {
  const result = await file.read(buildLines('These come from https://tool.example/', 'one.example', 'two.example'));
  expect(result.hosts).toEqual(['one.example', 'two.example']);
});

test('names of columns with dots are a header if pages are below them', async () => {
  const text = buildLines('source.link,target.link,anchor', `https://one.example/a,${own},x`);
  expect((await file.read(text)).hosts).toEqual(['one.example']);
  expect((await file.read(buildLines('backlink.page', 'https://one.example/a'))).hosts).toEqual(['one.example']);
  expect((await file.read(buildLines('backlink.page', 'one.example'))).hosts).toEqual(['backlink.page', 'one.example']);
  expect((await file.read(buildLines('garden.page', 'https://one.example/a'))).hosts).toEqual([
    'garden.page',
    'one.example',
  ]);
});

test('whole lines in quotation marks are split', async () => {
  const lines = [
    'Source url,Target url,Anchor',
    `https://one.example/a,${own},"cheap, links"`,
    `https://two.example/b,${own},"say ""hi"""`,
    `https://three.example/c,${own},plain`,
  ];
  const quote = (line: string) => `"${line.replaceAll('"', '""')}"`;
  for (const wrap of [
    quote,
    (line: string) => (line.includes('"') ? quote(line) : line),
    (line: string) => `${quote(line)},,`,
  ]) {
    const result = await file.read(buildLines(...lines.map(wrap)));
    expect(result.formats).toMatchObject([{ column: 'Source url', backlinks: 3, skipped: [] }]);
    expect(result.links.map(({ anchor }) => anchor)).toEqual(['cheap, links', 'say "hi"', 'plain']);
  }
});

test('words of link monitors mean a lost link', async () => {
  for (const word of [
    'BACKLINK NOT FOUND',
    'LNF',
    '404',
    '410',
    '404 Not Found',
    'Link not found',
    'gelöscht',
    'Lost',
  ]) {
    const text = buildLines(
      'Source URL,Target URL,Status',
      `https://one.example/,${own},OK`,
      `https://two.example/,${own},${word}`,
      `https://three.example/,${own},200`,
    );
    expect(
      (await file.read(text)).links.map(({ flags }) => flags & 1),
      word,
    ).toEqual([0, 1, 0]);
  }
});

test('columns have names in other languages, and with hyphens', async () => {
  for (const [header, delimiter] of [
    ['URL source;Cible;Ancrage;Type de lien', ';'],
    ['Origen;Destino;Ancla;Tipo', ';'],
    ['Quell-URL;Linkziel;Ankertext;Linktyp', ';'],
    ['source-url,target-url,anchor-text,link-type', ','],
  ] as const) {
    const rows = [`https://one.example/;${own};x;nofollow`, `https://two.example/;https://client.example/;y;dofollow`];
    const result = await file.read(buildLines(header, ...rows.map((row) => row.replaceAll(';', delimiter))));
    expect(result.links, header).toMatchObject([{ page: 'https://one.example/', anchor: 'x', flags: 2 }]);
    expect(result.skipped).toEqual([{ reason: 'another site', lines: [3] }]);
  }
});

test('a name that is also English does not decide the order of dates', async () => {
  const dates = async (header: string) => {
    const delimiter = header.includes(';') ? ';' : ',';
    const row = ['https://one.example/', 'text', '03/04/2025'].join(delimiter);
    return (await file.read(buildLines(header, row))).links.map(({ firstSeen }) => firstSeen);
  };
  for (const header of [
    'Source URL,Link Text,First Seen',
    'Source URL,link-text,First Seen',
    'SourceURL,LinkText,FirstSeen',
    'Page Source,Anchor,First Seen',
    'URL Source,Anchor,First Seen',
  ]) {
    expect(await dates(header), header).toEqual([undefined]);
  }
  expect(await dates('Quell-URL;Linktext;Zuerst gesehen')).toEqual(['2025-04-03']);
});

test('the target in an archive or a cache is the page that it shows, in each row', async () => {
  for (const archive of ['https://web.archive.org/web/2020/', 'https://www.google.com/url?q=']) {
    const targets = [own, 'https://client.example/', own];
    for (const order of [targets, targets.toReversed(), ['https://client.example/', own, 'https://client.example/']]) {
      const rows = order.map((target, i) => `https://page${i}.example/,${archive}${target}`);
      const result = await file.read(buildLines('Source url,Target url', ...rows));
      const lines = order.flatMap((target, i) => (target === own ? [] : [i + 2]));
      expect(result.skipped, archive).toEqual([{ reason: 'another site', lines }]);
    }
  }
});

test('hosts whose letters were read in the wrong encoding are repaired, or skipped', async () => {
  const result = await file.read(
    buildLines('Source url', 'http://bÃ¼cher.example/a', 'http://Ð¿Ñ€Ð¸Ð¼ÐµÑ€.example/', 'http://bÃ€€cher.example/'),
  );
  expect(result.hosts.map((host) => registrableDomain(host))).toEqual([
    'xn--bcher-kva.example',
    'xn--e1afmkfd.example',
  ]);
  expect(result.skipped).toEqual([{ reason: 'not an address', lines: [4] }]);
});
