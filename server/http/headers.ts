import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

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

/**
 * What a browser may do with an answer that is data and never a page: nothing. Those of helmet's headers that say something of data,
 * with a policy that allows nothing and so needs no nonce: making one takes longer than many an answer.
 */
export const dataHeaders = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Makes a response a download. `fileName` consists of characters that need no quoting. */
export function attachment(reply: FastifyReply, fileName: string, mediaType: string): FastifyReply {
  return reply
    .code(200)
    .type(`${mediaType}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${fileName}"`);
}

/** Weak (RFC 9110, 8.8.3): what is compressed, or differs in its time, says the same. */
export function weakETag(content: string): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

/** Whether an If-None-Match header names the tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesETag(header: string | undefined, etag: string): boolean {
  if (header?.trim() === '*') return true;
  return header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.slice(2)) ?? false;
}
