import { pagePaths } from '#shared/pages.ts';

const origin = 'https://own.invalid';

/**
 * `text` when it names a screen of this site (path, query, hash), else undefined: nobody is sent to another site, nor to `/auth`.
 * @param screens the paths that there are
 */
export function ownPath(text: unknown, screens: readonly string[] = pagePaths): string | undefined {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, origin)) return undefined;
  const url = new URL(text, origin);
  if (url.origin !== origin || url.username || url.password) return undefined;
  const known = screens.find((path) => path === url.pathname);
  return known && known !== '/auth' ? known + url.search + url.hash : undefined;
}
