/** The content policy lets a style element through only with the nonce that the server puts into the page, here as there. */
export function styleNonce(): string {
  if (typeof document === 'undefined') return '__STYLE_NONCE__';
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
}
