import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import robotsParser from 'robots-parser';
import { crawlerName, crawlerPage, crawlManners } from '#shared/blacklist/crawl.ts';
import type { Context } from '../../context.ts';
import { pageLink } from '../../platform/mail/mail.ts';
import { OutboundError, type OutboundResponse } from '../../platform/net/outbound.ts';
import { crawlDisabled, isCrawlEnabled } from './setting.ts';
import { findRobots, isOptedOut, postponeTurns, reserveTurn, upsertRobots } from './store.ts';

/** A page that responded. Read `body` to its end, or call `close`. */
export interface PageResponse {
  kind: 'page';
  /** After redirects. */
  url: string;
  status: number;
  headers: IncomingHttpHeaders;
  redirects: number;
  /** The decoded text; empty if the page is not HTML. It ends early at the limits of size and time: see `getEnd`. */
  body: AsyncIterable<string>;
  /** How the body ended. Undefined until then. */
  getEnd(): 'complete' | 'cut' | undefined;
  close(): void;
}

/** A page that was not read, with a phrase that says why. */
export interface NoPage {
  /** `blocked`: robots.txt or the owner does not allow the visit. `redirect`: see `VisitOptions.stopAt`. */
  kind: 'blocked' | 'unreachable' | 'redirect';
  url: string;
  reason: string;
}

export type Visit = PageResponse | NoPage;

export interface VisitOptions {
  signal: AbortSignal;
  /** Whether a redirect to this address is an answer already, so that its target is not requested. */
  stopAt?(target: URL): boolean;
}

/** Requests pages of other sites with the manners that docs/live-pages.md describes. */
export interface Crawler {
  /** @throws 409 `crawl_disabled` while visits are turned off, and if `signal` aborts. Other problems are results. */
  visit(url: string, options: VisitOptions): Promise<Visit>;
}

type CrawlerContext = Pick<Context, 'config' | 'db' | 'outbound' | 'now' | 'log'>;

/** The package exports the function itself, which its types do not say. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

const maxBytes = crawlManners.megabytes * 1024 * 1024;
const maxRobotsBytes = 500 * 1024;
const usualLimits = { timeoutMs: crawlManners.timeoutSeconds * 1000, idleTimeoutMs: 10_000 };
const hourMs = 3_600_000;
/** A host that is busy for longer counts as unreachable for now. */
const maxWaitMs = 60_000;
const maxRestMs = 24 * hourMs;
/** The pace of all requests together. */
const everyHost = '*';
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** @param limits of a request in milliseconds, which tests replace */
export function createCrawler(context: CrawlerContext, limits = usualLimits): Crawler {
  const { config, db, outbound, now } = context;
  const { perMinute, hostSeconds } = config.crawl;
  const userAgent = `${crawlerName}/1.0 (+${pageLink(config, crawlerPage)})`;

  /**
   * Waits for the turn of all requests, then for that of the host, which the request follows at once.
   * @returns false if that would take too long
   */
  async function takeTurn(host: string, intervalMs: number, signal: AbortSignal): Promise<boolean> {
    for (const turn of [
      { host: everyHost, intervalMs: 60_000 / perMinute, maxWaitMs: maxRestMs },
      // A request that is sent late must not be followed too soon.
      { host, intervalMs: 1.05 * intervalMs, maxWaitMs },
    ]) {
      const wait = await reserveTurn(db, turn.host, turn);
      if (wait === undefined) return false;
      if (wait > 0) await delay(wait, undefined, { signal });
    }
    return true;
  }

  /** Sends one request in its turn, and again after the pause that the server asks for. */
  async function request(
    url: URL,
    { signal, intervalMs, limit }: { signal: AbortSignal; intervalMs: number; limit: number },
    isSecond = false,
  ): Promise<OutboundResponse> {
    if (!(await takeTurn(url.hostname, intervalMs, signal))) {
      throw new OutboundError('timeout', `${url.host} asked for a longer pause`);
    }
    if (!(await isCrawlEnabled(context))) throw crawlDisabled();
    const response = await outbound.get(url.href, {
      maxBytes: limit,
      ...limits,
      followRedirects: false,
      anyPort: config.allowPrivateAddresses,
      headers: {
        'user-agent': userAgent,
        accept: 'text/html, text/plain;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
      },
      signal,
    });
    const restMs = readRetryAfter(response, now());
    if (restMs === undefined) return response;
    await postponeTurns(db, url.hostname, restMs);
    if (isSecond || restMs > maxWaitMs) return response;
    response.body.destroy();
    return await request(url, { signal, intervalMs, limit }, true);
  }

  /** @returns the text of robots.txt, empty if there is none, null if it could not be read */
  async function readRobots(origin: string, signal: AbortSignal): Promise<string | null> {
    const since = {
      read: new Date(now().getTime() - crawlManners.robotsHours * hourMs),
      failed: new Date(now().getTime() - hourMs),
    };
    const known = await findRobots(db, origin, since);
    if (known) return known.rules;
    const rules = await requestRobots(new URL('/robots.txt', origin), signal).catch((error: unknown) => {
      if (!(error instanceof OutboundError) || ['url', 'private', 'dns'].includes(error.problem)) throw error;
      context.log.info({ err: error, origin }, 'a robots.txt could not be read');
      return null;
    });
    await upsertRobots(db, origin, rules, now());
    return rules;
  }

  async function requestRobots(start: URL, signal: AbortSignal): Promise<string | null> {
    let url = start;
    for (let followed = 0; followed <= crawlManners.redirects; followed += 1) {
      const response = await request(url, { signal, intervalMs: hostSeconds * 1000, limit: maxRobotsBytes });
      const target = findTarget(response, url);
      if (target) {
        response.body.destroy();
        url = target;
        continue;
      }
      if (response.status >= 200 && response.status < 300) {
        const { texts } = decode(response, maxRobotsBytes);
        let rules = '';
        for await (const text of texts) rules += text;
        // PostgreSQL cannot store this character.
        return rules.replaceAll('\0', '');
      }
      response.body.destroy();
      // RFC 9309: without a robots.txt everything is allowed, and nothing while the server has problems.
      return response.status >= 400 && response.status < 500 && response.status !== 429 ? '' : null;
    }
    return '';
  }

  async function visitOnce(url: URL, signal: AbortSignal): Promise<OutboundResponse | NoPage> {
    if (await isOptedOut(db, withParents(url.hostname))) {
      return { kind: 'blocked', url: url.href, reason: 'the owner does not want visits' };
    }
    const rules = await readRobots(url.origin, signal);
    if (rules === null) return { kind: 'unreachable', url: url.href, reason: 'robots.txt could not be read' };
    const robots = parseRobots(`${url.origin}/robots.txt`, rules);
    if (robots.isAllowed(url.href, crawlerName) === false) {
      return { kind: 'blocked', url: url.href, reason: 'robots.txt does not allow the visit' };
    }
    const seconds = Math.max(hostSeconds, Math.min(robots.getCrawlDelay(crawlerName) ?? 0, maxWaitMs / 1000));
    return await request(url, { signal, intervalMs: seconds * 1000, limit: maxBytes });
  }

  async function visit(text: string, { signal, stopAt }: VisitOptions): Promise<Visit> {
    if (!(await isCrawlEnabled(context))) throw crawlDisabled();
    if (!URL.canParse(text)) return { kind: 'unreachable', url: text, reason: 'not an address' };
    let url = new URL(text);
    try {
      for (let followed = 0; followed <= crawlManners.redirects; followed += 1) {
        const response = await visitOnce(url, signal);
        if ('kind' in response) return response;
        const target = findTarget(response, url);
        if (!target) return toPage(response, followed);
        response.body.destroy();
        if (stopAt?.(target)) return { kind: 'redirect', url: target.href, reason: 'redirects there' };
        url = target;
      }
      return { kind: 'unreachable', url: url.href, reason: `redirects more than ${crawlManners.redirects} times` };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      return { kind: 'unreachable', url: url.href, reason: describeProblem(error) };
    }
  }

  return { visit };
}

/** A host and all domains above it. */
function withParents(host: string): string[] {
  const labels = host.toLowerCase().split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}

/** The address and other details of a private network are nobody's business. */
function describeProblem({ problem, message }: OutboundError): string {
  return problem === 'private' || problem === 'url' ? 'an address that Linksieve does not connect to' : message;
}

function findTarget({ status, headers: { location } }: OutboundResponse, base: URL): URL | undefined {
  if (!redirects.has(status) || !location || !URL.canParse(location, base.href)) return undefined;
  return new URL(location, base.href);
}

/** Returns for how many milliseconds the server asks to pause; undefined if it does not. */
function readRetryAfter({ status, headers }: OutboundResponse, now: Date): number | undefined {
  const value = headers['retry-after'];
  if ((status !== 429 && status !== 503) || value === undefined) return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxRestMs);
}

function toPage(response: OutboundResponse, followed: number): PageResponse {
  const { status, url, headers } = response;
  const isHtml = /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? 'text/html');
  if (!isHtml) response.body.destroy();
  const decoded = isHtml ? decode(response, maxBytes) : { texts: noTexts(), getEnd: () => 'complete' as const };
  return {
    kind: 'page',
    url,
    status,
    headers,
    redirects: followed,
    body: decoded.texts,
    getEnd: decoded.getEnd,
    close: () => response.body.destroy(),
  };
}

async function* noTexts(): AsyncGenerator<string> {}

/** Decompresses and decodes a body. It ends at `limit` bytes after decompression, and where the connection fails. */
function decode({ body, headers }: OutboundResponse, limit: number) {
  let end: 'complete' | 'cut' | undefined;
  async function* texts(): AsyncGenerator<string> {
    const bytes = decompress(body, headers['content-encoding']);
    let decoder: TextDecoder | undefined;
    let length = 0;
    end = 'cut';
    try {
      for await (const chunk of bytes as AsyncIterable<Buffer>) {
        decoder ??= createDecoder(headers['content-type'], chunk);
        length += chunk.length;
        yield decoder.decode(chunk, { stream: true });
        if (length >= limit) return;
      }
      end = 'complete';
      if (decoder) yield decoder.decode();
    } catch (error) {
      // A page that is too large, too slow or damaged ends here: what arrived counts.
      if (!(error instanceof OutboundError) && !isZlibError(error)) throw error;
    } finally {
      body.destroy();
      bytes.destroy();
    }
  }
  return { texts: texts(), getEnd: () => end };
}

const isZlibError = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_)/.test(String(error.code));

function decompress(body: Readable, encoding: string | undefined): Readable {
  const decoders: Record<string, () => Transform> = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const create = decoders[encoding?.trim().toLowerCase() ?? ''];
  // The last stream is destroyed with the error, so its reader gets it.
  return create ? pipeline(body, create(), () => undefined) : body;
}

/** The encoding of the header, else of a meta element at the start of the page, else UTF-8. */
function createDecoder(contentType: string | undefined, start: Buffer): TextDecoder {
  const pattern = /charset\s*=\s*["']?\s*([\w-]+)/i;
  const label = pattern.exec(contentType ?? '')?.[1] ?? pattern.exec(start.toString('latin1', 0, 1024))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder('utf-8');
    throw error;
  }
}
