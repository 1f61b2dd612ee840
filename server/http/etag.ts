import { hash } from 'node:crypto';

/** Weak (RFC 9110, 8.8.3): what is compressed, or differs in its time, says the same. */
export function weakTag(content: string): string {
  return `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
}

/** Whether an If-None-Match header names the tag, by weak comparison (RFC 9110, 13.1.2). */
export function isSame(header: string | undefined, etag: string): boolean {
  if (header?.trim() === '*') return true;
  return header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.slice(2)) ?? false;
}
