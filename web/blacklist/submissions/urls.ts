/**
 * The host of a pasted URL in ASCII, without `www.`: `example.com` for `https://www.example.com/offer`. Returns text
 * without a host unchanged, and leaves its validation to the form.
 */
export function toHost(text: string): string {
  const typed = text.trim();
  const hasScheme = /^https?:\/\//i.test(typed);
  if (!hasScheme && (typed.includes('@') || /\s/.test(typed))) return typed;
  const url = hasScheme ? typed : `http://${typed}`;
  const hostname = URL.canParse(url) ? new URL(url).hostname : '';
  if (!hostname.includes('.')) return typed;
  const host = hostname.replace(/\.$/, '');
  return host.replace(/^www\.(?=[^.]+\.)/, '');
}

/** Splits a text into URLs and the text between them. Trailing punctuation is not part of a URL. */
export function splitAtUrls(text: string): { text: string; isUrl: boolean }[] {
  const parts: { text: string; isUrl: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    const url = match[0].replace(/[.,;:!?)\]}'’”]+$/, '');
    if (!URL.canParse(url)) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isUrl: false });
    parts.push({ text: url, isUrl: true });
    end = match.index + url.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isUrl: false });
  return parts;
}
