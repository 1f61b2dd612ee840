/** How many characters of a referring page a table shows. */
export const referringPageLength = 50;

/** The first 50 characters, and the `rest`, which is empty for a shorter text. Never cuts a character in two. */
export function cutPage(page: string): { shown: string; rest: string } {
  const characters = [...page];
  return {
    shown: characters.slice(0, referringPageLength).join(''),
    rest: characters.slice(referringPageLength).join(''),
  };
}

/**
 * Where a referring page of an uploaded file may lead: an http(s) address, or a bare host completed to one. Anything
 * else, such as `javascript:`, has no link.
 */
export function linkOf(page: string): string | undefined {
  const text = page.trim();
  const isBare = /^[^\s/:@?#]+\.[^\s/:@?#]+(?:[/?#]|$)/.test(text);
  try {
    const url = new URL(isBare ? `http://${text}` : text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** A website's name as a profile takes it, without scheme, `www.` and path. */
export function websiteName(text: string): string {
  return text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/*/i, '')
    .replace(/^www\./i, '')
    .replace(/[/?#].*$/s, '');
}
