import { expect, test } from 'vitest';
import { maxListNames } from '#shared/checks/domain-lists.ts';
import { readListText } from './read-list.ts';

/** Each entry as 'domain' or 'domain = price'. */
const read = (text: string) =>
  readListText(text).entries.map(({ domain, price }) => (price === null ? domain : `${domain} = ${price}`));

test.each([
  ['lines', 'one.com\r\ntwo.com\n\n three.com ', ['one.com', 'two.com', 'three.com']],
  ['commas and semicolons', 'one.com, two.com;three.com,', ['one.com', 'two.com', 'three.com']],
  ['spaces and tabs', 'one.com two.com\tthree.com', ['one.com', 'two.com', 'three.com']],
  ['quotation marks', '"one.com","two.com"', ['one.com', 'two.com']],
  ['URLs', 'https://www.One.com/a?b=1\nhttps://one.org/a,https://two.com/b,c', ['one.com', 'one.org', 'two.com']],
  ['brackets', '<https://one.com> (two.com)', ['one.com', 'two.com']],
  ['a disavow file', 'domain:one.com\ndomain: two.com', ['one.com', 'two.com']],
  ['comments', '# mine\none.com # good\n  #two.com', ['one.com']],
  [
    'other comments',
    'one.com#three.com\ntwo.com // see three.com\ntwo.org// three.com',
    ['one.com', 'two.com', 'two.org'],
  ],
  ['numbers', '1. one.com\n2) one.org\n3 two.com\n(4) two.org', ['one.com', 'one.org', 'two.com', 'two.org']],
  ['invisible characters', 'o\u200bne.com\nhttps://tw\u00ado.com/a\ufffc', ['one.com', 'two.com']],
  ['bullets', '- one.com\n2. two.com $30\n• three.com', ['one.com', 'two.com = $30', 'three.com']],
  [
    'entries that are no domains',
    'not a domain\n1.2.3.4\none.com, localhost, two.com',
    ['not a domain', '1.2.3.4', 'one.com', 'localhost', 'two.com'],
  ],
  [
    'notes that start like DNS records',
    'one.com a great site\ntwo.com in a blog network\nthree.com ns hosting\nfour.com TXT me\nfive.com A good one',
    ['one.com', 'two.com', 'three.com', 'four.com', 'five.com'],
  ],
  [
    'lines of a zone without a name',
    'one.com CNAME .\ntwo.com A 0.0.0.0\nthree.com NS ns.host.example.\nfour.com A 1.2.3.4\nlocalhost',
    ['one.com', 'two.com', 'three.com NS ns.host.example.', 'four.com A 1.2.3.4', 'localhost'],
  ],
  ['a known word below names', 'one.com\nblog\ntwo.com', ['one.com', 'blog', 'two.com']],
  ['international names', 'bücher.example', ['xn--bcher-kva.example']],
])('reads %s', (_, text, entries) => {
  expect(read(text)).toEqual(entries);
});

test.each([
  ['after a comma', 'one.com,120', ['one.com = 120']],
  ['after a tab', 'one.com\t$1,200', ['one.com = $1,200']],
  ['after a semicolon', 'one.com;35,50', ['one.com = 35,50']],
  ['after a space', 'one.com 120 USD two.com €35–60', ['one.com = 120 USD', 'two.com = €35–60']],
  ['after a URL', 'https://one.com/page,120', ['one.com = 120']],
  ['in quotation marks', '"one.com","$1,200"', ['one.com = $1,200']],
  ['after other words', 'one.com - DR 50 - $120 per link', ['one.com = $120']],
  ['with a currency, before one without', 'one.com\t55\t$120', ['one.com = $120']],
  ['never, if it could be another number', 'one.com,55,120\ntwo.com DR 50', ['one.com', 'two.com']],
])('reads a price %s', (_, text, entries) => {
  expect(read(text)).toEqual(entries);
});

test.each([
  ['a header', 'Domain,Price\none.com,$1,200\ntwo.com,80', ['one.com = $1,200', 'two.com = 80']],
  ['the currency in the header', 'Site;Cost (EUR)\none.com;80\ntwo.com;$90', ['one.com = 80 EUR', 'two.com = $90']],
  ['other columns', 'Website\tDR\tNiche\tPrice\none.com\t55\tPets\t120', ['one.com = 120']],
  ['the price first', 'Fee,URL\n$120,https://one.com/a\n,two.com', ['one.com = $120', 'two.com']],
  ['another name for the price', 'Domain\tAsking price\tNiche\none.com\t120\tPets\n\t\t\n', ['one.com = 120']],
  ['columns that are no prices', 'Domain\tBounce rate\tNiche\none.com\t45%\tPets', ['one.com']],
  ['no header', 'one.com,A blog,$120\ntwo.com,News,$80', ['one.com = $120', 'two.com = $80']],
  ['a row without a domain', 'Domain,Niche,Price\none.com,Pets,5\nnot one,Pets,6', ['one.com = 5', 'not one = 6']],
])('reads a table with %s', (_, text, entries) => {
  expect(read(text)).toEqual(entries);
});

test('the same domain counts once, with its first price', () => {
  expect(readListText('one.com\nONE.com 120\nhttps://www.one.com/a 130\ntwo.com\nx y\nX Y')).toEqual({
    entries: [
      { domain: 'one.com', price: '120' },
      { domain: 'two.com', price: null },
      { domain: 'x y', price: null },
    ],
    duplicates: 3,
    valid: 2,
  });
});

test.each(['', ' , ;\n', '# only a comment', 'Domain,Price\n'])('the list %j is empty', (text) => {
  expect(() => readListText(text)).toThrow('Please enter at least one domain');
});

test('only different names count for the limit', () => {
  const names = Array.from({ length: maxListNames }, (_, i) => `site-${i}.example`);
  expect(readListText([...names, ...names].join('\n'))).toMatchObject({ duplicates: maxListNames });
  expect(readListText(names.join(',')).entries).toHaveLength(maxListNames);
  expect(() => readListText([...names, 'one-more.example'].join('\n'))).toThrow('more than 10,000 different names');
});

test('a text of 2 MB without sense is read in linear time', () => {
  const length = 2_000_000;
  for (const part of ['x\n', 'a/b,c/d,', ',$1', '1-1-', '"a\n', 'a.b ', '$', '# ']) {
    expect(readListText(`one.com ${part.repeat(length / part.length)}`).entries.length).toBeLessThan(5);
  }
});

test('long entries are shortened, and stay invalid', () => {
  const { entries } = readListText(`${'word '.repeat(40)}\none.com ${'9'.repeat(300)}`);
  expect(entries.map(({ domain }) => domain.length)).toEqual([100, 7]);
  expect(readListText(entries[0]?.domain ?? '').valid).toBe(0);
});
