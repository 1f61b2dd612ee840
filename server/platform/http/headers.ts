import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Other hosts that pages may load from, by directive of the content security policy. */
export interface OtherSources {
  script: string[];
  image: string[];
  connect: string[];
  frame: string[];
}

/**
 * Returns the content security policy of pages, as directives for helmet, which adds a nonce for scripts and styles.
 */
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
 * Headers for responses that are data, never a page: the ones of helmet that apply, with a policy that allows nothing.
 * The policy needs no nonce, which can take longer to create than the response.
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

/**
 * Turns a response into a file download.
 * @param fileName must contain only characters that need no quoting
 * @param mediaType of a text, which is UTF-8, or of a binary file
 */
export function attachment(reply: FastifyReply, fileName: string, mediaType: string): FastifyReply {
  const isText = mediaType.startsWith('text/') || mediaType === 'application/json';
  return reply
    .code(200)
    .type(isText ? `${mediaType}; charset=utf-8` : mediaType)
    .header('content-disposition', `attachment; filename="${fileName}"`);
}

/** Sends a JSON text that matches the response schema of the endpoint, without parsing it. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}

/**
 * Returns a weak ETag of the content (RFC 9110, 8.8.3): responses with the same ETag may differ in compression or a
 * timestamp.
 */
export function weakETag(content: string): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

/** Whether an If-None-Match header contains the ETag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesETag(header: string | undefined, etag: string): boolean {
  if (header?.trim() === '*') return true;
  return header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.slice(2)) ?? false;
}
