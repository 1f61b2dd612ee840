/** The characters of the bytes from 128 in two encodings of DOS, which `TextDecoder` does not know. */
const dos850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';
const dos437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

const upperBytes = Array.from({ length: 128 }, (_, i) => i + 128);
const toBytes = (characters: string) => Array.from(characters, (character, i) => [character, i + 128] as const);
const decodeUpperBytes = (encoding: string) => new TextDecoder(encoding).decode(Uint8Array.from(upperBytes));
/** Some programs keep the bytes from 128 to 159 as control characters. */
const controls = toBytes(String.fromCharCode(...upperBytes.slice(0, 32)));

/**
 * The byte of each character outside ASCII, in the encodings as which programs read UTF-8 by mistake. A name that a
 * program wrote in lower case can be restored if the bytes that follow the first one of a letter are signs.
 */
const encodings = [
  ...['windows-1252', 'windows-1251', 'windows-1250', 'windows-1254'].map((encoding) => ({
    bytes: new Map([...controls, ...toBytes(decodeUpperBytes(encoding))]),
    hasCase: false,
  })),
  ...[decodeUpperBytes('macintosh'), dos850, dos437, decodeUpperBytes('ibm866')].map((characters) => ({
    bytes: new Map(toBytes(characters)),
    hasCase: true,
  })),
];

/**
 * A letter of UTF-8 that is read as Windows-1252, or by a Mac or DOS, starts like this. The first or the second
 * character is no letter of a name.
 */
const damage =
  /[√├]\P{ASCII}|[\u00c0-\u00ff][\u0080-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb-\u00bf\u2013-\u203a\u20ac\u2122]/u;

/** A word in lower case, of one alphabet. Damaged letters are mostly capitals and signs, or a ƒ. */
const word = /^(?:[A-Z]?(?:\d|(?=\p{Script=Latin})(?!ƒ)\p{Ll})*|(?:\d|(?=\p{Script=Cyrillic})\p{Ll})*)$/u;

/**
 * Returns a name whose UTF-8 was read in another encoding, such as bÃ¼cher.info, as it was, and other names unchanged.
 * Words such as déšť and дії are other names, although they are UTF-8 in these encodings. Undefined for a damaged name
 * that cannot be repaired.
 */
export function repairEncoding(name: string): string | undefined {
  if (name.split(/[-.]/).every((part) => word.test(part))) return name;
  for (const { bytes, hasCase } of encodings) {
    const asWritten = decode(name, bytes);
    const repaired = asWritten ?? (hasCase ? undefined : decode(name.replace(/[à-ïð-ý]/g, toUpperCase), bytes));
    if (repaired !== undefined) return repairEncoding(repaired);
  }
  return damage.test(name) ? undefined : name;
}

const toUpperCase = (letter: string) => letter.toUpperCase();

/** Returns the text of the bytes that the characters have in an encoding; undefined if it is not UTF-8. */
function decode(name: string, bytes: ReadonlyMap<string, number>): string | undefined {
  const encoded: number[] = [];
  let expected = 0;
  for (const character of name) {
    const byte = character < '\u0080' ? character.charCodeAt(0) : bytes.get(character);
    if (byte === undefined) return undefined;
    const isContinuation = byte >= 0x80 && byte < 0xc0;
    if (isContinuation !== expected > 0) return undefined;
    expected = isContinuation ? expected - 1 : countContinuations(byte);
    if (expected < 0) return undefined;
    encoded.push(byte);
  }
  return expected > 0 ? undefined : new TextDecoder().decode(Uint8Array.from(encoded));
}

/**
 * Returns how many bytes follow the first one of a character; -1 if it is not the first one of a character in the
 * scripts of domain names. Capital letters of other languages are such bytes too, as in Úžas.
 */
function countContinuations(first: number): number {
  if (first < 0x80) return 0;
  // Latin, Greek, Cyrillic, Hebrew, Arabic
  if ((first >= 0xc2 && first <= 0xc5) || (first >= 0xce && first <= 0xd1) || (first >= 0xd7 && first <= 0xd9))
    return 1;
  if (first >= 0xe0 && first <= 0xed) return 2;
  return first === 0xf0 ? 3 : -1;
}
