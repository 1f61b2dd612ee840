/**
 * The host of a pasted address, in the ASCII spelling that the form takes: of `https://www.example.com/offer` it is `example.com`.
 * Anything else comes back as it is, for the form to judge.
 */
export function hostOfPasted(text: string): string {
  const typed = text.trim();
  const hasScheme = /^https?:\/\//i.test(typed);
  if (!hasScheme && (typed.includes('@') || /\s/.test(typed))) return typed;
  const url = parse(hasScheme ? typed : `http://${typed}`);
  if (!url?.hostname.includes('.')) return typed;
  const host = url.hostname.replace(/\.$/, '');
  return host.replace(/^www\.(?=[^.]+\.)/, '');
}

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}
