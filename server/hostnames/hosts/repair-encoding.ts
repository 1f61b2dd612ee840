/** The byte of each character outside ASCII, in the encodings as which programs read UTF-8 by mistake. */
const encodings = ['windows-1252', 'windows-1251', 'windows-1250', 'windows-1254'].map((encoding) => {
  const characters = new TextDecoder(encoding).decode(Uint8Array.from({ length: 128 }, (_, i) => i + 128));
  // Some programs keep the bytes from 128 to 159 as control characters.
  const controls = Array.from({ length: 32 }, (_, i) => [String.fromCharCode(i + 128), i + 128] as const);
  return new Map([...controls, ...Array.from(characters, (character, i) => [character, i + 128] as const)]);
});

/** A letter of UTF-8 that is read as Windows-1252 starts like this. The second character is no letter of a name. */
const damage = /[\u00c0-\u00ff][\u0080-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb-\u00bf\u2013-\u203a\u20ac\u2122]/u;

/** A word in lower case, of one alphabet. Damaged letters are mostly capitals and signs. */
const word = /^(?:[A-Z]?(?:\d|(?=\p{Script=Latin})\p{Ll})*|(?:\d|(?=\p{Script=Cyrillic})\p{Ll})*)$/u;

/**
 * Returns a name whose UTF-8 was read in another encoding, such as bÃ¼cher.info, as it was, and other names unchanged.
 * Words such as déšť and дії are other names, although they are UTF-8 in these encodings. Undefined for a damaged name
 * that cannot be repaired.
 */
export function repairEncoding(name: string): string | undefined {
  if (name.split(/[-.]/).every((part) => word.test(part))) return name;
  for (const bytes of encodings) {
    // A program may have written the name in lower case.
    const repaired = decode(name, bytes) ?? decode(name.replace(/[à-ïð-ý]/g, toUpperCase), bytes);
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
