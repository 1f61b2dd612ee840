import { domainToASCII } from 'node:url';
import { normaliseHost } from '../hosts/hosts.ts';

/**
 * What a search looks for in names: undefined without a search, the constant `nothing` when no name can contain it.
 * A pasted address is reduced to its host, names in other scripts become punycode.
 */
export function searchText(search: string | undefined): string | undefined {
  const text = search?.trim().toLowerCase();
  if (!text) return undefined;
  const part = isAddress(text) ? hostOf(normaliseHost(text) ?? text) : text;
  const ascii = hasOtherScript(part) ? domainToASCII(part) : part;
  return /^[a-z0-9._-]{1,253}$/.test(ascii) ? ascii : nothing;
}

/** No name contains a blank. */
export const nothing = ' nothing ';

function isAddress(text: string): boolean {
  return /[/:@?#]/.test(text) || text.startsWith('www.');
}

/** The host of an address that names no full domain, such as `https://shop`. */
function hostOf(text: string): string {
  return text
    .replace(/^[a-z]*:?\/\//, '')
    .replace(/[/?#:].*$/s, '')
    .replace(/^www\./, '');
}

function hasOtherScript(text: string): boolean {
  for (const character of text) if (character > '\u007f') return true;
  return false;
}
