/** The content policy lets a style element through only with the nonce that the server put into the page. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
}
