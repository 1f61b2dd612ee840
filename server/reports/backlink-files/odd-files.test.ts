import { afterAll, beforeAll, expect, test } from 'vitest';
import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import { buildXlsx } from '../../platform/archives/workbooks.fixtures.ts';
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

test.each([
  ['Source,Referring domain', 'ahrefs.com,one.example', 'moz.com,two.example', 'ahrefs.com,three.example'],
  ['Linking domain,Source', 'one.example,ahrefs.com', 'two.example,moz.com', 'three.example,ahrefs.com'],
  [
    'Source,URL',
    'https://ahrefs.com/site-explorer,https://one.example/',
    'https://moz.com/links,https://two.example/',
    'https://ahrefs.com/site-explorer,https://three.example/',
    'https://moz.com/links,https://three.example/b',
  ],
  ...['Source,Domain', 'Источник,Домен', 'Fonte,Sito', 'Fuente,Sitio', 'Quelle,Webseite'].map((header) => [
    header,
    'https://tool.example/?target=1,one.example',
    'https://tool.example/app?target=2,two.example',
    'https://tool.example/app?target=3,three.example',
  ]),
  ['Referrer,URL', 'ahrefs.com,https://one.example/', 'moz.com,https://two.example/', 'moz.com,https://three.example/'],
])('in %s, the column with the tools is not the source', async (...lines) => {
  const hosts = ['one.example', 'two.example', 'three.example'];
  expect((await file.read(buildLines(...lines), { ask: true })).hosts).toEqual(hosts);
});

test('a column that says where the rows came from is read if another one only repeats its sites', async () => {
  const rows = [
    'https://x.one.example/a,one.example',
    'https://two.example/,two.example',
    'https://one.example/b,one.example',
  ];
  const { pages } = await file.read(buildLines('Source,Referring domain', ...rows), { ask: true });
  expect(pages).toEqual(['https://x.one.example/a', 'https://two.example/', 'https://one.example/b']);
});

test.each(['Blog', 'Publisher'])(
  'a question is asked about the tools and an unknown column of sites: %s',
  async (name) => {
    for (const toTool of [(host: string) => host, (host: string) => `https://${host}/offers`]) {
      const tools = ['ahrefs.com', 'majestic.com', 'ahrefs.com', 'majestic.com'].map(toTool);
      const rows = tools.map((tool, i) => `${tool},page${i}.example`);
      const asked = file.read(buildLines(`Source,${name}`, ...rows), { ask: true });
      await expect(asked).rejects.toMatchObject({ question: { about: 'column' } });
    }
  },
);

const client = 'https://client.example/';

test.each([
  ...['Source URL,Links to', 'Source URL,Target site', 'Source URL,URL', 'Link,Landing', 'Backlink,Money site'],
  ...[
    'Referring Page URL,Linked Domain',
    'Linkgebende Seite,Zieldomain',
    'Quelldomain,Zieldomain',
    'Backlink URL,Project',
  ],
  ...['Odkazující stránka,Odkazovaná stránka', 'Enlace,Enlace destino', 'Site source,Page ciblée', 'Source,URL', ''],
])('a column in which the own site occurs beside other linking sites has the targets: %s', async (header) => {
  const hostOf = (page: string) => new URL(page).hostname;
  for (const toTarget of [(page: string) => page, hostOf]) {
    const targets = [own, client, 'https://two.example/', own, client].map(toTarget);
    const rows = targets.map((target, i) => `https://page${i}.example/a,${target}`);
    const result = await file.read(buildLines(...(header ? [header] : []), ...rows), { ask: true });
    expect(result.pages).toEqual(['https://page0.example/a', 'https://page3.example/a']);
    const lines = header ? [3, 4, 6] : [2, 3, 5];
    expect(result.skipped).toEqual([{ reason: 'another site', lines }]);
  }
});

test.each([
  ['Source URL,Final URL', 'https://one.example/b', 'https://two.example/b', own],
  ['URL,Domain', 'one.example', 'two.example', 'three.example'],
  ['Source URL,Visible text', 'mine.example', 'read more', 'booking.com'],
])('in %s, no link is one to another site', async (header, ...cells) => {
  const hosts = ['one.example', 'two.example', 'three.example'];
  const rows = hosts.map((host, i) => `https://${host}/,${cells[i]}`);
  expect(await file.read(buildLines(header, ...rows), { ask: true })).toMatchObject({ hosts, skipped: [] });
});

test('a column that repeats the linking sites is not the better source', async () => {
  const pages = Array.from({ length: 8 }, (_, i) => `https://site${i % 2}.example/${i}`);
  for (const header of ['Source,Final URL', 'From,Domain']) {
    const rows = pages.map((page, i) => `${page},${i > 0 ? page : 'https://moved.example/'}`);
    expect((await file.read(buildLines(header, ...rows), { ask: true })).pages, header).toEqual(pages);
  }
});

test('a question is asked if a single linking site could be the target of the tools', async () => {
  const rows = [own, client, own].map((target, i) => `https://one.example/${i},${target},tool${i % 2}.example`);
  const asked = file.read(buildLines('Link,Landing,Tool', ...rows), { ask: true });
  await expect(asked).rejects.toMatchObject({ question: { about: 'column' } });
});

test('a question is asked if few links of the better column point to the own site', async () => {
  const rows = Array.from({ length: 9 }, (_, i) => `tool${i % 2}.example,https://page${i}.example/`);
  const asked = file.read(buildLines('Source,URL', ...rows, `tool1.example,${own}`), { ask: true });
  await expect(asked).rejects.toMatchObject({ question: { about: 'column' } });
});

test('the target in a text is its first URL', async () => {
  const targets = [`Home (${own})`, `Client (${client})`, `Home: ${own}`];
  const read = (list: string[]) =>
    file.read(buildLines('Source URL,Target URL', ...list.map((target, i) => `https://page${i}.example/,${target}`)), {
      ask: true,
    });
  expect(await read(targets)).toMatchObject({ backlinks: 2, skipped: [{ reason: 'another site', lines: [3] }] });
  await expect(read([`Client (${client})`])).rejects.toMatchObject({
    question: { about: 'site', site: 'client.example' },
  });
});

test('the target page is kept instead of its domain', async () => {
  const row = `https://one.example/,mine.example,${own}x`;
  const { links } = await file.read(buildLines('Source URL,Target domain,Target URL', row));
  expect(links).toMatchObject([{ targetPage: `${own}x` }]);
});

test('a file of targets is refused as such', async () => {
  for (const header of ['link.url,anchor.text,link.type', 'Target URL,Anchor,Type']) {
    const reading = file.read(buildLines(header, 'https://one.example/,x,nofollow'));
    await expect(reading).rejects.toThrow('lists the pages that links point to');
    await expect(file.read(buildLines(header, `${own},x,nofollow`))).rejects.toThrow('pages of your own website');
  }
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

test.each([
  ...['Tool', 'Exported from', 'Created by', 'Source', 'Competitor', 'Kunde', 'Domaine', 'Сайт', 'Site:'].map(
    (label) => ({
      above: `${label},https://tool.example`,
      isRow: false,
    }),
  ),
  ...['', '5', '2024-05-01'].map((first) => ({ above: `${first},https://one.example/`, isRow: true })),
])('the line "$above" above a header is a row: $isRow', async ({ above, isRow }) => {
  const rows = [`https://two.example/,${own},x`, `https://three.example/,${own},y`];
  const { hosts } = await file.read(buildLines(above, '', 'Source url,Target url,Anchor', ...rows));
  expect(hosts).toEqual([...(isRow ? ['one.example'] : []), 'two.example', 'three.example']);
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
  const dotted = ['03.05.2024', '12.31.2023', '\u200e01.02.2024\u200e'];
  expect(await dates('First seen', ...dotted)).toEqual(['2024-03-05', '2023-12-31', '2024-01-02']);
  expect(await dates('First seen', '03.05.2024', '31.12.2023')).toEqual(['2024-05-03', '2023-12-31']);
});

test('cells with a title and a URL, and cells of HTML, are read as their first URL', async () => {
  const cells = [
    'Cheap posts https://one.example/a',
    'Cheap posts (https://one.example/a)',
    '1) Cheap: https://one.example/a',
    'Source: https://one.example/a Target: https://mine.example/',
    '标题（https://one.example/a）',
    '「https://one.example/a」を見る',
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

test.each([
  ['source.page,source.domain,target.page,anchor.text', 'one.example,OWN,x'],
  ['referring.page,target.page,anchor.text,first.seen', 'OWN,x,2024-03-05'],
  ['backlink.source.url,backlink.target.url,backlink.anchor', 'OWN,x'],
])('%s is a header', async (header, cells) => {
  const result = await file.read(buildLines(header, `https://one.example/a,${cells.replace('OWN', own)}`), {
    ask: true,
  });
  const firstSeen = header.includes('first.seen') ? '2024-03-05' : undefined;
  expect(result.links).toMatchObject([{ page: 'https://one.example/a', targetPage: own, anchor: 'x', firstSeen }]);
  expect(result.skipped).toEqual([]);
});

test('a first row with a site whose name is like that of a column is not lost', async () => {
  const rows = ['garden.page,source.link', 'https://one.example/,https://two.example/', 'https://three.example/,x'];
  expect((await file.read(buildLines(...rows))).pages).toEqual([
    'garden.page',
    'https://one.example/',
    'https://three.example/',
  ]);
});

test.each([
  ['# Two pages to disavow', 'http://spam.one.example/a', 'http://spam.one.example/b', '', 'domain:two.example'],
  ['domain:one.example', 'http://two.example/a', 'http://two.example/b', 'http://three.example/b'],
  ['- domain:one.example', '- domain:two.example'],
  ['Domain', 'domain:one.example', 'domain:two.example'],
  ['domain : one.example', ' domain :two.example'],
  ['domain=one.example', 'DOMAIN = two.example'],
  ['domain：one.example', '\u200bdomain：two.example'],
  ['domain one.example', 'domain two.example'],
  ['1. domain:one.example', '2. domain:two.example'],
])('the lines %s … are a disavow file', async (...lines) => {
  const asked = file.read(buildLines(...lines), { ask: true });
  await expect(asked).rejects.toMatchObject({ question: { about: 'disavow' } });
});

test('a table with a header is no disavow file', async () => {
  const result = await file.read(buildLines('Domain,DR', 'domain:one.example,5', 'domain:two.example,6'), {
    ask: true,
  });
  expect(result.hosts).toEqual(['one.example', 'two.example']);
});

test('a workbook with a disavow file is refused with the name of its sheet', async () => {
  const sheets = {
    Links: [['URL'], ['https://one.example/']],
    Old: [['domain:two.example'], ['domain:three.example']],
  };
  const asked = file.read(Buffer.from(buildXlsx(sheets)), { ask: true });
  await expect(asked).rejects.toThrow(/Old.* is a disavow file\. Save it as a text file of its own/);
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

/** Reads the flags of two links of which the second has a value in a column. */
async function readFlags(column: string, value: string) {
  const rows = ['https://one.example/,OK', `https://two.example/,"${value}"`, 'https://three.example/,200'];
  return (await file.read(buildLines(`Source URL,${column}`, ...rows))).links.map(({ flags }) => flags);
}

test('words of link monitors mean a lost link', async () => {
  for (const word of [
    ...[
      'BACKLINK NOT FOUND',
      'LNF',
      '404',
      '410',
      '404 Not Found',
      'Status: 404',
      'Link not found',
      'Lost',
      'Lost (404)',
    ],
    ...['NOT_FOUND', 'BACKLINK_NOT_FOUND', 'link-not-found', 'not-live', 'Link was removed', 'Link has been removed'],
    ...[
      'No longer live',
      'No backlinks found',
      'Backlink not present',
      'Not detected',
      'DOMAIN NOT FOUND',
      'Broken link',
    ],
    ...['Removed 2024-05-01', 'Removed by webmaster', 'Not found on the page', '\u200bLost\u200b', '\u200e404'],
    ...['Lien perdu', 'Lien introuvable', 'Lien non trouvé', 'Enlace eliminado', 'Enlace no encontrado', 'gelöscht'],
    ...['Verlorener Link', 'Seite nicht gefunden', 'nicht vorhanden', 'Ссылка потеряна', 'Ссылка не найдена', 'Удалён'],
    ...['Нет ссылки', 'Utracony', 'Usunięty', 'Nie znaleziono', 'Link fehlt', 'Niet gevonden', 'Não encontrado'],
    ...['❌ Lost', '(not found)', 'NOTFOUND', 'Page 404', 'Kein Link', 'Aucun lien', 'Sin enlace', 'Enlace roto'],
  ]) {
    expect(await readFlags('Status', word), word).toEqual([0, 1, 0]);
  }
  for (const word of [
    ...[
      'Not found in index',
      'Missing anchor',
      'No link attributes',
      'Removed from index',
      'missing_anchor',
      'Lostock',
    ],
    ...['Found', 'Live', 'not lost', '4040', 'No links to competitors'],
  ]) {
    expect(await readFlags('Status', word), word).toEqual([0, 0, 0]);
  }
});

test('columns of link monitors and in other languages say whether a link is lost or nofollow', async () => {
  for (const name of ['Monitoring status', 'Current status', 'État du lien', 'Link check', 'Result', 'Response']) {
    expect(await readFlags(name, 'Not found'), name).toEqual([0, 1, 0]);
  }
  for (const name of ['Live', 'Is live', 'Backlink found', 'Found']) {
    expect(await readFlags(name, 'No'), name).toEqual([0, 1, 0]);
  }
  for (const name of ['Attribut', 'Atributo', 'Link-Art', 'Type']) {
    expect(await readFlags(name, '\u200enofollow\u200e'), name).toEqual([0, 2, 0]);
  }
});

test.each(['Texte d’ancre', 'Texto del ancla', 'Ancre du lien', 'Anker-Text'])(
  '%s is the anchor text',
  async (name) => {
    const { links } = await file.read(buildLines(`Source URL,${name}`, 'https://one.example/,cheap'));
    expect(links).toMatchObject([{ anchor: 'cheap' }]);
  },
);

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

test('dates with a year of two digits are read in the order of their column, or shown as they are', async () => {
  const dates = (header: string, ...values: string[]) =>
    file
      .read(buildLines(`Source url;${header}`, ...values.map((value, i) => `https://page${i}.example/;${value}`)))
      .then(({ links }) => links.map(({ firstSeen, firstSeenText }) => firstSeen ?? firstSeenText));
  expect(await dates('First seen', '13/04/24', '03/04/24')).toEqual(['2024-04-13', '2024-04-03']);
  expect(await dates('First seen', '04/13/24', '03/04/24')).toEqual(['2024-04-13', '2024-03-04']);
  expect(await dates('First seen', '24-04-03', '24-04-30')).toEqual(['2024-04-03', '2024-04-30']);
  expect(await dates('First seen', '03/04/24', '05/06/24')).toEqual(['03/04/24', '05/06/24']);
  expect(await dates('Zuerst gesehen', '03/04/24', '05.06.24')).toEqual(['2024-04-03', '2024-06-05']);
  expect(await dates('Erstmals gefunden', '05.03.24', '12.03.24')).toEqual(['2024-03-05', '2024-03-12']);
  expect(await dates('Erstmals gefunden', '05-03-24', '12-03-24')).toEqual(['05-03-24', '12-03-24']);
  expect(await dates('初回検出日', '24/04/13')).toEqual(['2024-04-13']);
  expect(await dates('First seen', '4 avr. 24', '04-Apr-24')).toEqual(['2024-04-04', '2024-04-04']);
});

test('another column of dates decides the order of one that does not', async () => {
  const dates = (...rows: string[]) =>
    file.read(buildLines('Source url,First seen,Last seen,Checked', ...rows)).then(({ links }) => {
      return links.map(({ firstSeen, firstSeenText }) => firstSeen ?? firstSeenText);
    });
  expect(await dates('https://one.example/,03/04/2024,30/04/2024,x')).toEqual(['2024-04-03']);
  expect(await dates('https://one.example/,03/04/2024,04/30/2024,x')).toEqual(['2024-03-04']);
  expect(await dates('https://one.example/,03/04/2024,30/04/2024,04/30/2024')).toEqual(['03/04/2024']);
});

test.each(['Source,URL', 'From,Website', 'Quelle,Webseite', 'Source,Blog', 'Referrer,Link'])(
  'a question is asked if both columns have pages of many sites: %s',
  async (header) => {
    const rows = [1, 2, 3].map((i) => `https://one${i}.example/a,https://two${i}.example/b`);
    const asked = file.read(buildLines(header, ...rows), { ask: true });
    await expect(asked).rejects.toMatchObject({ question: { about: 'column' } });
  },
);

test.each(['seo.link,our.site', 'my.link,our.page', 'blog.link,shop.website'])(
  'the names %s are a header above own pages, and a row without them',
  async (header) => {
    const rows = [1, 2].map((i) => `https://one${i}.example/a,${own}`);
    const { pages, skipped } = await file.read(buildLines(header, ...rows), { ask: true });
    expect([pages, skipped]).toEqual([['https://one1.example/a', 'https://one2.example/a'], []]);
    const hosts = await file.read(buildLines(header, 'one1.example,mine.example', 'one2.example,mine.example'));
    expect(hosts.skipped).toEqual([{ reason: 'another site', lines: [1] }]);
  },
);

test.each(['Blog post,Promo', 'Where,What', ''])(
  'a column of unknown name that lists the own site has the targets: %s',
  async (header) => {
    for (const target of ['mine.example', own]) {
      const rows = [target, target.replace('mine', 'client'), target].map(
        (cell, i) => `https://one${i}.example/a,${cell}`,
      );
      const lines = [...(header ? [header] : []), ...rows];
      const { pages } = await file.read(buildLines(...lines), { ask: true });
      expect(pages).toEqual(['https://one0.example/a', 'https://one2.example/a']);
    }
  },
);

test('comments, numbers and invisible characters in a list of domains change nothing', async () => {
  const names = ['one.example', 'two.example', 'three.example'];
  for (const format of [
    (name: string) => `${name}#bought`,
    (name: string) => `${name} # bought`,
    (name: string) => `${name}// bought`,
    (name: string) => `${name} // bought`,
    (name: string, i: number) => `${i + 1}. ${name}`,
    (name: string, i: number) => `${i + 1}) ${name}`,
    (name: string, i: number) => `${i + 1} ${name}`,
    (name: string) => `${name.slice(0, 2)}\u200b${name.slice(2)}`,
    (name: string) => `${name.slice(0, 2)}\ufffc${name.slice(2)}`,
  ]) {
    const { hosts, skipped } = await file.read(buildLines(...names.map(format)), { ask: true });
    expect([hosts, skipped], format('x', 0)).toEqual([names, []]);
  }
});

test('a column Found has dates, or says whether a link is lost', async () => {
  const read = async (...values: string[]) => {
    const rows = values.map((value, i) => `https://page${i}.example/,${value}`);
    return (await file.read(buildLines('Source url,Found', ...rows))).links.map(
      ({ firstSeen, flags }) => firstSeen ?? flags,
    );
  };
  expect(await read('2024-03-05', '', '2024-03-06')).toEqual(['2024-03-05', 0, '2024-03-06']);
  expect(await read('yes', 'no', 'yes')).toEqual([0, 1, 0]);
});
