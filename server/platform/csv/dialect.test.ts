import { expect, test } from 'vitest';
import { detectDialect } from './dialect.ts';

const detect = (text: string, knownNames: readonly string[] = []) =>
  detectDialect(
    { bytes: Buffer.from(text), complete: true },
    (cells) => cells.filter((cell) => knownNames.includes(cell)).length,
  );

test.each([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'vertical bar'],
])('the delimiter %j is detected by its equal number on every line', (delimiter, name) => {
  const rows = [
    ['Titel', 'Adresse', 'Datum'],
    ['One, two, three', 'https://a.example/', '1'],
    ['Four; five', 'https://b.example/', '2'],
    ['Six', 'https://c.example/', '3'],
  ];
  const quoted = rows.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join('\n');
  expect(detect(quoted)).toMatchObject({ delimiter: delimiter.charCodeAt(0), delimiterName: name });
});

test('commas in titles do not make a tab file a comma file', () => {
  const text =
    'a\tb\tc\nOne, two, three, four, five\thttps://a.example/\t1\nSix, seven\thttps://b.example/\t2\nx\ty\tz\n';
  expect(detect(text).delimiterName).toBe('tab');
});

test('decimal commas do not make a semicolon file a comma file', () => {
  expect(detect('https://a.example/;1,5;2,5\nhttps://b.example/;1,0;3,5\n').delimiterName).toBe('semicolon');
});

test('a vertical bar in every title does not beat the commas', () => {
  const text = 'Shop | Home,https://a.example/,1,2,3\nBlog | Post,https://b.example/,1,2,3\n';
  expect(detect(text).delimiterName).toBe('comma');
});

test('lines without a common number of cells have no delimiter', () => {
  expect(detect('https://a.example/\nhttps://b.example/x,y\nhttps://c.example/\n').delimiterName).toBe('none');
});

test('comments do not influence the delimiter', () => {
  expect(detect('# one, two\n# three, four\n# five, six\na.example\nb.example\n').delimiterName).toBe('none');
});

test('the sep= line sets the delimiter and is not data', () => {
  for (const first of ['sep=;', '"sep=;"', 'SEP=; ']) {
    const dialect = detect(`${first}\r\na;b\r\n1;2\r\n`, ['a', 'b']);
    expect(dialect).toMatchObject({
      delimiterName: 'semicolon',
      separatorLine: 1,
      header: { line: 2, cells: ['a', 'b'] },
    });
  }
  expect(detect('sep=^\na^b\n1^2\n').delimiterName).toBe('^');
});

test('a known header is found after ten preamble lines but not after eleven', () => {
  const preamble = 'Report, of, links\n\n"Made, today"\n'.repeat(4);
  const text = (lines: number) => `${preamble.split('\n').slice(0, lines).join('\n')}\nurl;title\nx;y\n`;
  expect(detect(text(10), ['url', 'title'])).toMatchObject({ delimiterName: 'semicolon', header: { line: 11 } });
  expect(detect(text(11), ['url', 'title']).header).toBeUndefined();
});

test('a header of one known cell makes every line one cell', () => {
  expect(detect('url\nhttps://a.example/x,y\n', ['url'])).toMatchObject({
    delimiterName: 'none',
    sample: [{ cells: ['url'] }, { cells: ['https://a.example/x,y'] }],
  });
});

test('a header can have links, also below a title, and rows with a text such as the name of a column are rows', () => {
  const link = (text: string, page = 'sort') => `"=HYPERLINK(""https://tool.example/${page}"",""${text}"")"`;
  const detectLinked = (...lines: string[]) => detect(lines.join('\n'), ['Source', 'Target']).header;
  const row = 'https://one.example/,x';
  expect(detectLinked(`${link('Source')},Target`, row)).toEqual({ line: 1, cells: ['Source', 'Target'] });
  expect(detectLinked(link('Report'), `${link('Source')},${link('Target')}`, row)).toMatchObject({ line: 2 });
  expect(detectLinked(link('Source', 'a'), link('Source', 'b'))).toBeUndefined();
  expect(detectLinked('a', link('Source', 'b'), 'c')).toBeUndefined();
});
