import type { Crawler, Visit } from '../../blacklist/crawl/crawler.ts';
import type { Context } from '../../context.ts';
import { checkReport } from '../../reports/live-links/check-links.ts';
import { listHarmfulBacklinks } from '../../reports/reports/reports.ts';
import type { createRandom } from './files.ts';

/** Checks the links of a report with made-up pages. Nothing is requested. */
export async function fillLiveLinks(
  context: Pick<Context, 'db' | 'now'>,
  { userId, reportId }: { userId: number; reportId: number },
  random: ReturnType<typeof createRandom>,
): Promise<void> {
  // A day later than the report, so that the list shows another date.
  const at = new Date(context.now().getTime() - 2 * 86_400_000);
  const { backlinks } = await listHarmfulBacklinks(context.db, userId, reportId, { page: 0, pageSize: 1000 });
  const targets = new Map(backlinks.map(({ referringPage, targetPage }) => [referringPage, targetPage ?? '']));
  const crawler: Crawler = { visit: async (url) => makeUp(url, targets.get(url) ?? '', random.next()) };
  await checkReport({ ...context, now: () => at }, reportId, crawler);
}

const text = 'A list of shops that the author likes, with prices and opening hours. '.repeat(6);

function makeUp(url: string, target: string, share: number): Visit {
  const link = (attributes = '') =>
    `<p>Before you buy, look at <a href="${target}"${attributes}>this shop</a> first.</p>`;
  if (share < 0.4) return toPage(url, link());
  if (share < 0.52) return toPage(url, link(' rel="nofollow sponsored"'));
  if (share < 0.56) return toPage(url, `<meta name="robots" content="noindex">${link()}`);
  if (share < 0.78) return toPage(url, `<p>${text}</p>`);
  if (share < 0.9) return toPage(url, '', 404);
  if (share < 0.94) return { kind: 'blocked', url, reason: 'robots.txt does not allow the visit' };
  if (share < 0.97) return toPage(url, '<script src="/app.js"></script>');
  return { kind: 'unreachable', url, reason: `no address was found for ${new URL(url).hostname}` };
}

function toPage(url: string, html: string, status = 200): Visit {
  return {
    kind: 'page',
    url,
    status,
    headers: {},
    redirects: 0,
    body: (async function* () {
      yield html;
    })(),
    getEnd: () => 'complete',
    close: () => undefined,
  };
}
