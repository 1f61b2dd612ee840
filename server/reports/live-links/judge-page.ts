import type { LiveState } from '#shared/reports/live-links.ts';
import type { Visit } from '../../blacklist/crawl/crawler.ts';
import { type PageFacts, type PageLink, readPage } from '../../blacklist/crawl/read-page.ts';

/** The facts of a visit that are stored. */
export interface LiveFacts {
  state: LiveState;
  reason: string | null;
  httpStatus: number | null;
  finalUrl: string;
  rel: string | null;
  anchor: string | null;
  sentence: string | null;
  textHash: Buffer | null;
}

/** What a page should link to. */
export interface Expectation {
  /** The address of the page in the export. */
  page: string;
  /** The domain of the website. */
  site: string;
  /** The pages that the links point to, from the export; empty if it does not say. */
  targets: readonly string[];
}

/** A page with less visible text than this, and with scripts, is probably written by them. */
const minTextLength = 200;
const unfollowed: ReadonlySet<string> = new Set(['nofollow', 'sponsored', 'ugc']);
const maxUrl = 2000;

/** Whether a URL leads to the website or a subdomain of it. */
export function leadsTo(site: string, { hostname, protocol }: URL): boolean {
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return host === site || host.endsWith(`.${site}`);
}

/** Reads the response of a visit, and decides by the rules of docs/live-pages.md. */
export async function judgePage(visit: Visit, expected: Expectation): Promise<LiveFacts> {
  const facts = { reason: null, httpStatus: null, rel: null, anchor: null, sentence: null, textHash: null };
  const finalUrl = visit.url.slice(0, maxUrl);
  if (visit.kind === 'redirect') return { ...facts, finalUrl, state: 'present', reason: visit.reason };
  if (visit.kind !== 'page') return { ...facts, finalUrl, state: visit.kind, reason: visit.reason.slice(0, 200) };
  const { status: httpStatus } = visit;
  const common = { ...facts, finalUrl, httpStatus };
  if (httpStatus < 200 || httpStatus > 299) {
    visit.close();
    const isGone = httpStatus === 404 || httpStatus === 410;
    const reason = isGone ? null : `the server returned the status ${httpStatus}`;
    return { ...common, state: isGone ? 'pageGone' : 'unreachable', reason };
  }
  const page = await readPage(visit, { wantsLink: (url) => leadsTo(expected.site, url) });
  const best = findBest(page.links, expected.targets);
  const state = decide(page, best, expected, visit.url);
  return {
    ...common,
    textHash: page.textHash,
    state,
    ...(state === 'unreachable' && { reason: 'the page is too large or too slow to be read to its end' }),
    ...(best && { rel: best.rel.join(' '), anchor: best.anchor, sentence: best.sentence }),
  };
}

function decide(page: PageFacts, best: PageLink | undefined, expected: Expectation, finalUrl: string): LiveState {
  if (best) {
    if (page.noindex) return 'noindex';
    if (page.nofollow || isUnfollowed(best)) return 'nofollow';
    return isExpected(best, expected.targets) ? 'present' : 'changedTarget';
  }
  if (!page.isComplete) return 'unreachable';
  if (page.textLength < minTextLength && page.scripts > 0) return 'needsBrowser';
  return isHomePage(finalUrl) && !isHomePage(expected.page) ? 'pageGone' : 'gone';
}

/** The link that says most: one to the expected page, and one that search engines follow. */
function findBest(links: readonly PageLink[], targets: readonly string[]): PageLink | undefined {
  const score = (link: PageLink) => (isExpected(link, targets) ? 2 : 0) + (isUnfollowed(link) ? 0 : 1);
  return links.reduce<PageLink | undefined>(
    (best, link) => (best && score(best) >= score(link) ? best : link),
    undefined,
  );
}

const isUnfollowed = ({ rel }: PageLink) => rel.some((value) => unfollowed.has(value));

const isExpected = ({ url }: PageLink, targets: readonly string[]) =>
  targets.length === 0 || targets.some((target) => toComparable(target) === toComparable(url.href));

/** Two addresses that differ only in scheme, `www.`, a final slash or the part after # are the same page. */
function toComparable(text: string): string {
  const address = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return text;
  const { host, pathname, search } = new URL(address);
  return host.replace(/^www\./, '') + pathname.replace(/\/$/, '') + search;
}

function isHomePage(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { pathname, search } = new URL(text);
  return pathname === '/' && search === '';
}
