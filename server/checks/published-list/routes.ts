import { Readable } from 'node:stream';
import compress from '@fastify/compress';
import { type PublishedFormat, publishedFormats, publishedLists } from '#shared/blacklist/published-list.ts';
import type { Context } from '../../context.ts';
import { getClientNetwork, getRequestOrigin } from '../../platform/http/address.ts';
import { cachedRead } from '../../platform/http/cached-read.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { matchesETag, weakETag } from '../../platform/http/headers.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { createCounter, type ListVersion, type Publisher, readVersion, writeList } from './published-list.ts';

/** Per network. A program that sends the ETag needs one download per change. */
export const maxDownloadsPerHour = 60;

const limitMessage = `You can download the blacklist ${maxDownloadsPerHour} times per hour. Send If-None-Match with the ETag of your copy, so that you download only changes.`;
const notPublished =
  'This installation does not publish its blacklist. Its operator can turn that on with PUBLISH_BLACKLIST=1.';

const mediaTypes: Record<PublishedFormat, string> = {
  plain: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  adblock: 'text/plain; charset=utf-8',
  ublacklist: 'text/plain; charset=utf-8',
};

export const publishedListRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const { config, db, readDb, pageWaitMs, now, log } = context;
    const countDomains = createCounter(readDb);
    const readKnownVersion = cachedRead({
      read: () => readVersion(readDb),
      isKept: () => true,
      what: 'the version of the published list',
      pageWaitMs,
      now,
      log,
    });
    scope.app.register(async (app) => {
      // Brotli would need ten times as long for a long list.
      await app.register(compress, { global: false, encodings: ['gzip'] });
      for (const format of publishedFormats) {
        route({ ...scope, app }, publishedLists[format], async ({ request, reply, signal }) => {
          if (!config.publishBlacklist) {
            throw new HttpError(404, 'not_found', notPublished, {
              headers: { 'cache-control': 'no-store' },
            });
          }
          const origin = getRequestOrigin(request, config.publicOrigin);
          const publisher = { origin, operator: config.operator?.name };
          const isKnown = (version: ListVersion | null) =>
            version !== null && matchesETag(request.headers['if-none-match'], toETag(format, publisher, version));
          const setHeaders = (version: ListVersion) =>
            reply.headers({
              'cache-control': 'public, max-age=3600',
              etag: toETag(format, publisher, version),
              link: `<${origin}/updates>; rel="license"`,
              vary: 'accept-encoding',
              // Browser extensions and other websites read the list too.
              'access-control-allow-origin': '*',
              'cross-origin-resource-policy': 'cross-origin',
              ...(version.lastUpdated && { 'last-modified': new Date(version.lastUpdated).toUTCString() }),
            });
          const known = await readKnownVersion();
          if (known && isKnown(known)) return setHeaders(known).code(304).send();

          // Read again: a source that was just made private must not be published.
          const version = await readVersion(readDb);
          if (isKnown(version)) return setHeaders(version).code(304).send();
          if (request.method === 'HEAD') return setHeaders(version).code(200).type(mediaTypes[format]).send();
          await recordUse(
            db,
            { key: `published-list:${getClientNetwork(request)}`, maxPerHour: maxDownloadsPerHour, limitMessage },
            now(),
          );
          const count = await countDomains(version);
          const list = writeList(readDb, format, { version, count, publisher, signal });
          // An error has no caching headers, so they are set last.
          setHeaders(version)
            .code(200)
            .type(mediaTypes[format])
            .compress(Readable.from(list, { highWaterMark: 2 }));
          return reply;
        });
      }
    });
  },
};

function toETag(format: PublishedFormat, publisher: Publisher, version: ListVersion): string {
  return weakETag(JSON.stringify([format, publisher, version.key]));
}
