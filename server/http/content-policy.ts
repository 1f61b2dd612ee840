/** Hosts that pages may ask beside our own, by directive. */
export interface OtherSources {
  script: string[];
  image: string[];
  connect: string[];
  frame: string[];
}

/** What a page may load, as helmet takes it: our own files, and what is named here. A nonce is added for scripts and styles. */
export function contentPolicy(others: OtherSources | undefined): Record<string, string[]> {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(others?.script ?? [])],
    'style-src': ["'self'"],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', ...(others?.image ?? [])],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...(others?.connect ?? [])],
    ...(others && { 'frame-src': ["'self'", ...others.frame] }),
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
  };
}
