import { PageState } from '#shared/pages.ts';

const unknown: PageState = {
  signedOut: false,
  bookACallUrl: null,
  sendsMail: false,
  takesPayments: false,
  debug: false,
  google: null,
  blacklist: null,
};

/** What the server has written into the page it sent; a page from elsewhere (the builder, a test) knows nothing. */
export function pageState(): PageState {
  if (typeof document === 'undefined') return unknown;
  const written = document.querySelector<HTMLMetaElement>('meta[name="page-state"]')?.content;
  if (!written?.startsWith('{')) return unknown;
  return PageState.parse(JSON.parse(written));
}
