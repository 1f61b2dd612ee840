/**
 * The host of a pasted address, in ASCII as the form expects it: `example.com` for `https://www.example.com/offer`. Returns anything
 * else as it is, for the form to judge.
 */
export function toHost(text: string): string {
  const typed = text.trim();
  const hasScheme = /^https?:\/\//i.test(typed);
  if (!hasScheme && (typed.includes('@') || /\s/.test(typed))) return typed;
  const address = hasScheme ? typed : `http://${typed}`;
  const hostname = URL.canParse(address) ? new URL(address).hostname : '';
  if (!hostname.includes('.')) return typed;
  const host = hostname.replace(/\.$/, '');
  return host.replace(/^www\.(?=[^.]+\.)/, '');
}

/** A text split at its web addresses. Punctuation at the end of a sentence is not part of an address. */
export function splitAtUrls(text: string): { text: string; isUrl: boolean }[] {
  const parts: { text: string; isUrl: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    const address = match[0].replace(/[.,;:!?)\]}'’”]+$/, '');
    if (!URL.canParse(address)) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isUrl: false });
    parts.push({ text: address, isUrl: true });
    end = match.index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isUrl: false });
  return parts;
}
