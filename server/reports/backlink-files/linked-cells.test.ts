import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildOds, buildXlsx } from '../../platform/archives/workbooks.fixtures.ts';
import { buildLines, createFileReader } from './odd-files.fixtures.ts';

let file: Awaited<ReturnType<typeof createFileReader>>;
beforeAll(async () => {
  file = await createFileReader();
});
afterAll(() => file.remove());

type Cell = string | { text: string; link: string };
const linked = (text: string, link: string) => ({ text, link });
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
const toText = (cell: Cell, toLink: (text: string, link: string) => string) =>
  quote(typeof cell === 'string' ? cell : toLink(cell.text, cell.link));
const toCsv = (rows: readonly (readonly Cell[])[], toLink: (text: string, link: string) => string) =>
  buildLines(...rows.map((cells) => cells.map((cell) => toText(cell, toLink)).join(',')));

const workbooks: Record<string, (rows: readonly (readonly Cell[])[]) => Uint8Array | string> = {
  xlsx: (rows) => buildXlsx({ Links: rows }),
  ods: (rows) => buildOds({ Links: rows }),
  'formulas of a workbook': (rows) =>
    buildXlsx({
      Links: rows.map((cells) =>
        cells.map((cell) =>
          typeof cell === 'string' ? cell : { formula: `HYPERLINK("${cell.link}","…")`, value: cell.text },
        ),
      ),
    }),
  'formulas of a text': (rows) => toCsv(rows, (text, link) => `=HYPERLINK("${link}","${text}")`),
  'formulas in another language': (rows) => toCsv(rows, (text, link) => `=ГИПЕРССЫЛКА("${link}"; "${text}")`),
};
const texts = {
  HTML: (rows: readonly (readonly Cell[])[]) => toCsv(rows, (text, link) => `<a href="${link}">${text}</a>`),
  Markdown: (rows: readonly (readonly Cell[])[]) => toCsv(rows, (text, link) => `[${text}](${link})`),
};
const tool = 'https://app.tool.example/overview?target=';

test.each(Object.entries({ ...workbooks, ...texts }))(
  'an address counts, not the link behind it: %s',
  async (_, build) => {
    const pages = ['bad1.com', 'www.bad2.net', 'https://bad3.org/a', 'http://bad4.info', 'bad5.de/b'];
    for (const link of [tool, 'https://similar.example/website/', 'https://app.tool.example/go?u=https://']) {
      const rows = pages.map((page) => [linked(page, `${link}${page}`), '5']);
      const result = await file.read(build([['Referring page', 'DR'], ...rows]), { ask: true });
      expect(result.pages).toEqual(pages);
      expect(result.hosts).toEqual(['bad1.com', 'bad2.net', 'bad3.org', 'bad4.info', 'bad5.de']);
    }
  },
);

test.each(Object.entries({ ...workbooks, ...texts }))(
  'the page behind a text or a host counts: %s',
  async (_, build) => {
    const pages = ['https://bad1.com/posts/1', 'https://bad2.net/posts/2', 'https://www.bad3.org/posts/3'];
    const titles = ['A title', 'bad2.net', 'https://bad3.org/po…'];
    const rows = pages.map((page, i) => [linked(titles[i] ?? '', page), '5']);
    const result = await file.read(build([['Linking page', 'DR'], ...rows]), { ask: true });
    expect(result.pages).toEqual(pages);
  },
);

test.each(Object.entries(workbooks))(
  'other cells have their texts, whatever the links behind them: %s',
  async (_, build) => {
    const own = 'https://mine.example/';
    const status = (text: string) => linked(text, `${tool}1`);
    const result = await file.read(
      build([
        ['Source url', 'Target url', 'Anchor', 'First seen', 'Status', 'Rel'],
        ['https://bad1.com/a', linked(own, own), status('an anchor'), status('2024-03-05'), status('Lost'), 'x'],
        ['https://bad2.com/a', linked('Home', own), 'x', '2024-03-05', status('Live'), status('nofollow')],
        ['https://bad3.com/a', linked('Home', 'https://client.example/'), 'x', '2024-03-05', 'Live', ''],
      ]),
      { ask: true },
    );
    expect(result.links).toMatchObject([
      { page: 'https://bad1.com/a', targetPage: own, anchor: 'an anchor', firstSeen: '2024-03-05', flags: 1 },
      { page: 'https://bad2.com/a', targetPage: own, anchor: 'x', firstSeen: '2024-03-05', flags: 2 },
    ]);
    expect(result.skipped).toEqual([{ reason: 'another site', lines: [4] }]);
  },
);

test.each(Object.entries(workbooks))(
  'names of columns can have links, and rows with such texts are rows: %s',
  async (_, build) => {
    const sort = (text: string) => linked(text, `${tool}sort`);
    const rows = ['https://bad1.com/a', 'https://bad2.net/b'].map((page) => [page, 'https://mine.example/', 'x']);
    const result = await file.read(build([[sort('Source url'), sort('Target url'), 'Anchor'], ...rows]), { ask: true });
    expect(result.links).toMatchObject([{ anchor: 'x' }, { anchor: 'x' }]);
    const links = ['https://bad1.com/a', 'https://bad2.net/b', 'https://bad3.org/c'].map((page) => [
      linked('Link', page),
    ]);
    expect((await file.read(build(links), { ask: true })).hosts).toEqual(['bad1.com', 'bad2.net', 'bad3.org']);
  },
);
