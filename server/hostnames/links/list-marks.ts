import { removeInvisible } from '../hosts/hosts.ts';

/**
 * A mark of a list, or a number before a name: `- x.com`, `•x.com`, `3. x.com`, `(3) x.com`, `3) x.com`, `3、x.com`,
 * `3 x.com`
 */
export const bullet =
  /^(?:[-*+>✓✔☑☐]\s+|[•·・–—▪◦‣→►●○■□★◆]\s*|[①-⑳][、．。.]?\s*|[([（]?[\d０-９]{1,6}(?:[.:\]]\s+|[、．。）]\s*|\.?\)\s*|\s+(?:[-–—]\s+)?(?=\S+\.\S)))(?=\S)/;

/**
 * Separates a line from its comment, and removes white space at the ends of both, and invisible characters. `text` is
 * empty for a comment or a blank line, and `comment` undefined without one. In a list, a comment starts with `#`, `;`,
 * `!` or `//`; with `onlyHash`, only with `#` if it is the whole line, as Google reads disavow files, and with `#` or
 * `//` after an entry.
 */
export function splitComment(
  line: string,
  { onlyHash = false }: { onlyHash?: boolean } = {},
): { text: string; comment: string | undefined } {
  const text = removeInvisible(line);
  if ((onlyHash ? /^#/ : /^(?:[#;!]|\/\/(?:\s|$))/).test(text)) return { text: '', comment: text };
  const start = findComment(text, onlyHash);
  if (start < 0) return { text, comment: undefined };
  return { text: text.slice(0, start).trimEnd(), comment: text.slice(start).trimStart() };
}

const hashComment = /\s#|\s\/\/(?:\s|$)|(?<=[^\s:/])\/\/\s/;
const listComment = /\s(?:[#;]|!\s|\/\/(?:\s|$))|(?<=[^\s:/])\/\/\s/;

/** Returns where a comment after an entry starts, or -1. The `#` can follow a name without a space: `x.com#bought`. */
function findComment(text: string, onlyHash: boolean): number {
  const start = text.search(onlyHash ? hashComment : listComment);
  const hash = text.indexOf('#');
  if (hash <= 0 || (start >= 0 && start < hash)) return start;
  const word = text.slice(0, hash).split(/\s/).at(-1) ?? '';
  const isAfterName = word.includes('.') && !/[/?]/.test(word) && !cosmeticMark.test(text.slice(hash, hash + 5));
  return isAfterName ? hash : start;
}

/** Starts a rule about parts of pages: `x.com##.ad`, `x.com#@#.ad`, `x.com#?#.ad`, `x.com#$#.ad`, `x.com#%#.ad` */
const cosmeticMark = /^#@?[$%]?\??#/;
