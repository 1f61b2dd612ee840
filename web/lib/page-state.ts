import { PageState } from '#shared/pages.ts';

const unknown: PageState = {
  signedOut: false,
  bookACallUrl: null,
  operator: null,
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

/** The content policy lets a style element through only with the nonce that the server puts into the page, here as there. */
export function styleNonce(): string {
  if (typeof document === 'undefined') return '__STYLE_NONCE__';
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
}
