import { PageState } from '#shared/pages.ts';

const unknown: PageState = {
  signedOut: false,
  user: null,
  bookACallUrl: null,
  operator: null,
  sendsMail: false,
  takesPayments: false,
  debug: false,
  google: null,
  blacklist: null,
};

/** The state that the server wrote into the page. Has default values during prerendering and in tests. */
export function pageState(): PageState {
  if (typeof document === 'undefined') return unknown;
  const written = document.querySelector<HTMLMetaElement>('meta[name="page-state"]')?.content;
  if (!written?.startsWith('{')) return unknown;
  return PageState.parse(JSON.parse(written));
}

/** The nonce that the Content-Security-Policy requires for style elements; a placeholder when prerendering. */
export function styleNonce(): string {
  if (typeof document === 'undefined') return '__STYLE_NONCE__';
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
}
