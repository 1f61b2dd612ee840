import { type Entry, toEntry } from './entry.ts';

/** What hosts files say about the machine itself. */
const machineName = /^(localhost\d?(\.localdomain\d?)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)$/i;
const nullAddress =
  /^(0|0\.0\.0\.0|127(\.\d{1,3}){3}|255\.255\.255\.255|::|::1|::ffff:(0\.0\.0\.0|127\.0\.0\.1)|fe80::1%\w+)$/i;

/** Whether an address leads nowhere, as those in hosts files of blocked names do. `0` is short for `0.0.0.0`. */
export const isNullAddress = (text: string): boolean => nullAddress.test(text);

/**
 * Reads a line of a list of names, a hosts file or a disavow file. The three can be mixed, because none of their lines
 * means something else in another one.
 */
export function readSimpleLine(line: string): readonly Entry[] {
  const text = removeComment(line);
  if (text === '') return [];
  // A real address tells where a site is, not that it is blocked.
  const [, address = '', names = ''] = /^(\S+)\s+([^#]*)/.exec(text) ?? [];
  if (isNullAddress(address)) {
    return names
      .split(/\s+/)
      .filter((name) => name !== '' && !machineName.test(name))
      .map(toEntry);
  }
  if (machineName.test(text) && text !== '0.0.0.0') return [];
  return [toEntry(text)];
}

/** Returns the trimmed line without its comment: empty for a comment or a blank line. */
export function removeComment(line: string): string {
  const text = line.trim();
  if (/^(?:[#;!]|\/\/(?:\s|$))/.test(text)) return '';
  const comment = text.search(/\s(?:[#;]|\/\/\s|!\s)/);
  return comment < 0 ? text : text.slice(0, comment).trimEnd();
}
