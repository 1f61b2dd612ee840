import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeHost } from './hosts.ts';
import { repairEncoding } from './repair-encoding.ts';

const names = [
  ...['bücher.info', 'straße.de', 'köln-düsseldorf.de', 'école.fr', 'œuvre.fr', 'são-paulo.br', 'ñandú.es', 'ýmir.is'],
  ...['déšť.eu', 'žluťoučký-kůň.cz', 'łódź.pl', 'źródło.pl', 'őrség.hu', 'šišmiš.hr', 'ēdiens.lv'],
  ...['ığdır.com', 'çiçek.com', 'şöför24.com', 'việt-nam.vn'],
  ...['дії.com', 'її.укр', 'пример.рф', 'київ.укр', 'љубав.срб', 'њива.срб', 'щастие.бг', 'ўзбек.com'],
  ...['ελλάδα.gr', 'אתר.com', 'أخبار.com', 'हिन्दी.भारत', 'ไทย.ไทย', '日本.jp', '例え.テスト', '한국.kr', '中文.中国'],
];
/** Names with letters that are not repaired. */
const otherNames = ['țară.ro', 'қазақ.қаз', 'ایران.ir'];
const damagedNames = ['windows-1252', 'windows-1251', 'windows-1250', 'macintosh', 'ibm866'].flatMap((encoding) =>
  names.map((name) => [name, new TextDecoder(encoding).decode(Buffer.from(name)), encoding] as const),
);

test.each([...names, ...otherNames])('%s is a name', (name) => {
  expect(repairEncoding(name)).toBe(name);
  expect(repairEncoding(name.replace(/^[a-z]/, (letter) => letter.toUpperCase()))?.toLowerCase()).toBe(name);
});

test('words of any letters of one alphabet are names', () => {
  const letters = [
    'àâäãåçéèêëíîïñóôöõøúûüýÿœšžąćęłńśźżčďěňřťůőűășțğış',
    'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґўјљњћђџѕё',
  ];
  const word = fc.oneof(
    ...letters.map((alphabet) => fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 12 })),
  );
  fc.assert(
    fc.property(word, fc.constantFrom('.com', '-24.eu', '.укр'), (text, end) => {
      expect(repairEncoding(text + end)).toBe(text + end);
    }),
    { numRuns: 2000 },
  );
});

test.each(damagedNames)('%s is repaired from %s, which was read as %s', (name, damaged) => {
  expect(repairEncoding(damaged)).toBe(name);
});

test.each([
  ['bã¼cher.info', 'bücher.info'],
  ['BÃ¼cher.info', 'bücher.info'],
  ['bÃƒÂ¼cher.info', 'bücher.info'],
  ['kã¶ln-dã¼sseldorf.de', 'köln-düsseldorf.de'],
  ['ã©cole.fr', 'école.fr'],
  ['b├╝cher.info', 'bücher.info'],
  ['stra├ƒe.de', 'straße.de'],
  ['k├Âln-d├╝sseldorf.de', 'köln-düsseldorf.de'],
  ['k├╢ln-d├╝sseldorf.de', 'köln-düsseldorf.de'],
  ['├®cole.fr', 'école.fr'],
  ['├⌐cole.fr', 'école.fr'],
  ['ð┐ÐÇð©ð╝ðÁÐÇ.ÐÇÐä', 'пример.рф'],
  ['╨┐╤Ç╨╕╨╝╨╡╤Ç.╤Ç╤ä', 'пример.рф'],
  ['┼é├│d┼║.pl', 'łódź.pl'],
  ['µùÑµ£¼.jp', '日本.jp'],
])('the damaged name %s is %s', (damaged, name) => {
  expect(normalizeHost(damaged)).toBe(normalizeHost(name));
});

test('a damaged name that cannot be repaired is no name', () => {
  for (const name of ['bÃ€€cher.example', 'b√√cher.example', 'b├é├cher.example']) {
    expect(repairEncoding(name)).toBeUndefined();
  }
});

test.each(['i❤.ws', '√.com', 'ƒoto.com', 'x√2.com', '∞.com', 'ελλάδα.gr', 'ÉCOLE.FR', 'INFORMAÇÕES.COM.BR', 'ÚŽAS.CZ'])(
  '%s is a name',
  (name) => {
    expect(repairEncoding(name)).toBe(name);
  },
);

test('a long word before a sign is read in linear time', () => {
  const name = `${'a'.repeat(200)}Ã`;
  expect(repairEncoding(name)).toBe(name);
});
