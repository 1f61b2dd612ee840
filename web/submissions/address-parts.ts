/** A text cut at its web addresses. What ends a sentence is no part of an address. */
export function addressParts(text: string): { text: string; isAddress: boolean }[] {
  const parts: { text: string; isAddress: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    const address = match[0].replace(/[.,;:!?)\]}'’”]+$/, '');
    if (!URL.canParse(address)) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isAddress: false });
    parts.push({ text: address, isAddress: true });
    end = match.index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isAddress: false });
  return parts;
}
