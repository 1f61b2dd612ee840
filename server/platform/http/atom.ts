import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '#shared/platform/html.ts';
import { matchesETag, weakETag } from './headers.ts';

/** An Atom feed (RFC 4287). Texts may contain any characters. */
export interface AtomFeed {
  /** An address or URI that never changes. */
  id: string;
  title: string;
  subtitle: string;
  author: { name: string; url: string | undefined };
  /** The address of the feed. */
  self: string;
  /** The address of the page with the same content. */
  page: string;
  /** Newest first. */
  entries: readonly AtomEntry[];
}

export interface AtomEntry {
  /** An address or URI that never changes. */
  id: string;
  title: string;
  updatedAt: Date;
  page: string;
  /** HTML with escaped texts. */
  content: string;
}

/** Returns when the newest entry of a feed changed; the start of 1970 without entries. */
const getFeedDate = ({ entries }: AtomFeed) =>
  new Date(Math.max(0, ...entries.map(({ updatedAt }) => updatedAt.getTime())));

function renderAtom(feed: AtomFeed): string {
  const { id, title, subtitle, author, self, page, entries } = feed;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US">
  <id>${xml(id)}</id>
  <title>${xml(title)}</title>
  <subtitle>${xml(subtitle)}</subtitle>
  <updated>${getFeedDate(feed).toISOString()}</updated>
  <author><name>${xml(author.name)}</name>${author.url ? `<uri>${xml(author.url)}</uri>` : ''}</author>
  <link rel="self" type="application/atom+xml" href="${xml(self)}"/>
  <link rel="alternate" type="text/html" href="${xml(page)}"/>
${entries.map(renderEntry).join('')}</feed>
`;
}

function renderEntry({ id, title, updatedAt, page, content }: AtomEntry): string {
  return `  <entry>
    <id>${xml(id)}</id>
    <title>${xml(title)}</title>
    <updated>${updatedAt.toISOString()}</updated>
    <link rel="alternate" type="text/html" href="${xml(page)}"/>
    <content type="html">${xml(content)}</content>
  </entry>
`;
}

/**
 * Sends a feed, or 304 if the client has it. The scope must have registered @fastify/compress.
 * @param knownTag its ETag; by default one is made from the rendered feed
 */
export function sendAtom(
  request: FastifyRequest,
  reply: FastifyReply,
  feed: AtomFeed,
  knownTag?: string,
): FastifyReply {
  const document = renderAtom(feed);
  const tag = knownTag ?? weakETag(document);
  const changedAt = getFeedDate(feed);
  reply.headers({ etag: tag, 'last-modified': changedAt.toUTCString() });
  const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
  const isKnown = known === undefined ? isUnmodifiedSince(changedAt, since) : matchesETag(known, tag);
  if (isKnown) return reply.code(304).send();
  reply.code(200).type('application/atom+xml; charset=utf-8').compress(document);
  return reply;
}

/** The header has a precision of a second. */
const isUnmodifiedSince = (changedAt: Date, since: string | undefined) =>
  since !== undefined && Math.floor(changedAt.getTime() / 1000) * 1000 <= Date.parse(since);

/** Characters that XML 1.0 does not allow, not even escaped. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const xml = (text: string) => escapeHtml(text.replaceAll(forbidden, ''));
