import { parse } from 'tldts';
import { looksLikePageAddress } from '#shared/platform/names.ts';

/** Dotted words, which mail programs turn into links if they end with a top-level domain. */
const dottedWords = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** Whether mail programs may turn a part of the text into a link. */
export function hasWebAddress(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{DI}]/gu, '')
    .replaceAll('。', '.');
  if (looksLikePageAddress(plain) || plain.includes('@')) return true;
  return (plain.match(dottedWords) ?? []).some((word) => parse(word).isIcann);
}

/**
 * The name of an account for an email to its confirmed address: the display name, else the username. Undefined if both
 * could be links, because someone else may have chosen them.
 */
export function toMailName({
  displayName,
  username,
}: {
  displayName: string | null;
  username: string;
}): string | undefined {
  return [displayName, username].find((name) => name && !hasWebAddress(name)) ?? undefined;
}
