import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WindowsEncoding } from './detect-encoding.ts';
import { charactersOf, encodeText, languageSamples } from './encoding.fixtures.ts';
import { createTranscoder, guessEncoding } from './encoding.ts';

const encodings: WindowsEncoding[] = ['Windows-1250', 'Windows-1251', 'Windows-1252', 'Windows-1254'];

/** Converts bytes in parts of `chunk` bytes, as a file reader does. */
function transcode(bytes: Buffer, encoding: WindowsEncoding, chunk = bytes.length + 1): string {
  const convert = createTranscoder(encoding);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunk) {
    parts.push(Buffer.from(convert?.(bytes.subarray(at, at + chunk), false) ?? []));
  }
  parts.push(convert?.(Buffer.alloc(0), true) ?? Buffer.alloc(0));
  return Buffer.concat(parts).toString('utf8');
}

/** Returns the lines that are not read as they were written. */
function misread(lines: string[], encoding: WindowsEncoding): string[] {
  const encoded = lines.map((line) => encodeText(`${line}\n`, encoding) ?? expect.unreachable(line));
  const bytes = Buffer.concat(encoded);
  const guessed = guessEncoding(bytes, true);
  const text = guessed === 'UTF-8' ? bytes.toString('utf8') : transcode(bytes, guessed as WindowsEncoding);
  return text === `${lines.join('\n')}\n` ? [] : lines;
}

const samples = Object.entries(languageSamples);

test('one short text is enough to tell the encodings apart, with rare exceptions', () => {
  const texts = samples.flatMap(([, { encoding, texts }]) => texts.flatMap((text) => misread([text], encoding)));
  expect(texts).toEqual(['Preţuri mici la ferestre']);
});

test.each(samples)('any two %s texts are enough to read them exactly', (_, { encoding, texts }) => {
  for (const [i, one] of texts.entries()) {
    for (const other of texts.slice(i + 1)) expect(misread([one, other], encoding)).toEqual([]);
  }
});

const regions = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((a) =>
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((b) => `${a}${b}`),
);

test.each([
  ['Windows-1251', ['ru', 'uk', 'bg', 'sr-Cyrl', 'be', 'mk']],
  ['Windows-1250', ['pl', 'cs', 'hu', 'ro', 'hr', 'sk', 'sl']],
  ['Windows-1254', ['tr']],
  ['Windows-1252', ['de', 'fr', 'es', 'pt', 'it', 'sv', 'da', 'nb', 'nl', 'ca', 'is', 'fi']],
] as const)('any 20 names of countries in a language of %s are read exactly', (encoding, languages) => {
  for (const language of languages) {
    const namesOf = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    const names = regions
      .map((region) => (namesOf.of(region) ?? '').replaceAll('ș', 'ş').replaceAll('ț', 'ţ'))
      .filter((name) => /\P{ASCII}/u.test(name) && encodeText(name, encoding) !== undefined);
    expect(names.length).toBeGreaterThan(10);
    for (let at = 0; at === 0 || at + 20 <= names.length; at += 5) {
      expect(misread(names.slice(at, at + 20), encoding)).toEqual([]);
    }
  }
});

test.each([
  ['a curly quotation mark', 'Don\x92t buy links'],
  ['a euro sign', 'Save \x8050'],
  ['a dash', 'Page 1 \x96 10'],
  ['an accent', 'caf\xe9'],
  ['a pound sign', '10\xa3 bonus'],
  ['a superscript', '20 m\xb2'],
  ['an umlaut', 'gr\xfcn'],
])('%s alone is Windows-1252', (_, text) => {
  expect(guessEncoding(Buffer.from(text, 'latin1'), true)).toBe('Windows-1252');
});

test('UTF-8 in a file of another encoding is not evidence', () => {
  const utf8 = Buffer.from('Günstige Möbel,Käse aus Österreich\n'.repeat(50));
  const others = encodeText('Исходная страница\n', 'Windows-1251') ?? expect.unreachable();
  expect(guessEncoding(Buffer.concat([utf8, others]), true)).toBe('Windows-1251');
  const turkish = encodeText('Sayfa başlığı\n', 'Windows-1254') ?? expect.unreachable();
  const cells = Buffer.concat([Buffer.from('Привет всем, каталог сайтов;'), turkish]);
  expect(guessEncoding(cells, true)).toBe('Windows-1254');
});

test.each(encodings)('any text in %s survives the conversion, in chunks of any size', (encoding) => {
  const character = fc.constantFrom(...charactersOf(encoding).slice(128), ...'aZ 9,;\t|"\r\n');
  const text = fc.string({ unit: character }).filter((text) => !text.split(/[,;\t|\r\n]/).some(isAmbiguous));
  const isAmbiguous = (part: string) =>
    /\P{ASCII}/u.test(part) && isUtf8(encodeText(part, encoding) ?? Buffer.alloc(0));
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (text, chunk) => {
      expect(transcode(encodeText(text, encoding) ?? expect.unreachable(), encoding, chunk)).toBe(text);
    }),
  );
});

test('lines and cells of UTF-8 stay as they are', () => {
  const cyrillic = encodeText('страница', 'Windows-1251') ?? expect.unreachable();
  const bytes = Buffer.concat([Buffer.from('日本,grün\n'), cyrillic, Buffer.from(',日本,ü;Привет\r'), cyrillic]);
  for (const chunk of [1, 2, 3, 50]) {
    expect(transcode(bytes, 'Windows-1251', chunk)).toBe('日本,grün\nстраница,日本,ü;Привет\rстраница');
  }
});

test.each([
  ['Windows-1251', 'Её'],
  ['Windows-1251', 'Ні, дякую'],
  ['Windows-1250', 'PÓŁNOC'],
] as const)('a word in %s that is also valid UTF-8 is not read as UTF-8: %s', (encoding, text) => {
  const bytes = encodeText(text, encoding) ?? expect.unreachable();
  expect(transcode(bytes, encoding)).toBe(text);
});

test('a line of megabytes is converted in parts', () => {
  const bytes = Buffer.alloc(3_000_000, encodeText('слово, ', 'Windows-1251') ?? expect.unreachable());
  const convert = createTranscoder('Windows-1251');
  let text = '';
  for (let at = 0; at < bytes.length; at += 100_000) {
    text += convert?.(bytes.subarray(at, at + 100_000), false).toString('utf8') ?? '';
    expect(at - text.length).toBeLessThan(200_000);
  }
  text += convert?.(Buffer.alloc(0), true).toString('utf8') ?? '';
  expect(text).toBe(new TextDecoder('windows-1251').decode(bytes));
});
