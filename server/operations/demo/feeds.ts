import { once } from 'node:events';
import { createServer } from 'node:http';
import type { FeedInput } from '#shared/blacklist/feeds.ts';
import { createFeed, executeFeedRun, startRefresh, updateFeed } from '../../blacklist/feeds/feeds.ts';
import type { Context } from '../../context.ts';
import { type Identity, noAudit } from '../../platform/http/scope.ts';
import { createOutbound } from '../../platform/net/outbound.ts';
import type { Random } from './files.ts';
import { finishFeedHistory } from './store.ts';

const intervalHours = 168;
const weeks = 6;
/** Where the lists of the demo would be. */
const origin = 'https://lists.example';

interface DemoFeed {
  input: Partial<Pick<FeedInput, 'name' | 'kind' | 'sourceKind' | 'licence' | 'homepage'>>;
  path: string;
  /** The list in a week, 0 to 5; undefined if its server does not find it. */
  getList(week: number): string | undefined;
  isPaused?: true;
}

interface DemoNames {
  listed: readonly string[];
  /** Names that nobody else lists. */
  fresh: readonly string[];
  /** Good sites. */
  clean: readonly string[];
}

/** Adds feeds that were refreshed each week: most are well, one fails, one waits for a review and one is paused. */
export async function fillFeeds(
  context: Context,
  admin: Pick<Identity, 'id' | 'username'>,
  names: DemoNames,
  random: Random,
): Promise<void> {
  const feeds = planFeeds(names, random);
  const contents = new Map<string, string | undefined>();
  const server = createServer((request, response) => {
    const list = contents.get(request.url ?? '');
    if (list === undefined) response.writeHead(404).end();
    else response.end(list);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const local = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : ''}`;
  const outbound = createOutbound({ ...context.outbound.options, allowPrivate: true, isOff: false });
  try {
    const ids = new Map<DemoFeed, number>();
    for (let week = 0; week < weeks; week += 1) {
      const at = new Date(context.now().getTime() - (weeks - 1 - week) * intervalHours * 3_600_000 - 5 * 3_600_000);
      const then = { ...context, outbound, now: () => at };
      for (const feed of feeds) {
        contents.set(feed.path, feed.getList(week));
        const id = ids.get(feed);
        if (id === undefined) {
          const input = { format: 'auto', kind: 'block', sourceKind: 'list', intervalHours, ...feed.input } as const;
          const created = await createFeed(then, { ...input, url: local + feed.path }, admin, noAudit);
          ids.set(feed, created.feed.id);
          await executeFeedRun(then, created.runId);
        } else if (!feed.isPaused || week < 3) {
          await executeFeedRun(then, (await startRefresh(then, id, noAudit)).runId);
        }
      }
    }
    for (const [{ isPaused }, id] of ids)
      if (isPaused) await updateFeed(context, id, { enabled: false }, { user: admin, audit: noAudit });
  } finally {
    server.close();
  }
  await finishFeedHistory(context.db, local, origin);
}

function planFeeds({ listed, fresh, clean }: DemoNames, { next }: Random): DemoFeed[] {
  const size = Math.min(3000, Math.floor(listed.length / 6));
  const part = Math.floor(fresh.length / 3);
  /** Names of the blacklist and new ones, of which more are known each week, and a few leave. */
  const grow = (from: number, own: number, lines: (name: string) => string) => {
    const all = [...listed.slice(from, from + size), ...fresh.slice(own * part, (own + 1) * part)];
    const since = all.map(() => (next() < 0.9 ? 0 : Math.floor(next() * weeks)));
    const until = all.map(() => (next() < 0.95 ? weeks : Math.floor(next() * weeks)));
    return (week: number) =>
      all
        .filter((_, i) => (since[i] ?? 0) <= week && (until[i] ?? 0) > week)
        .map((name) => `${lines(name)}\n`)
        .join('');
  };
  const disavow = grow(size, 1, (name) => `domain:${name}`);
  const spun = grow(2 * size, 2, (name) => `*://*.${name}/*`);
  const guests = grow(3 * size, 2, (name) => `0.0.0.0 ${name}`);
  const toHomepage = (path: string) => `${origin}/${path.split('/')[1]}/`;
  const create = (
    path: string,
    input: Omit<DemoFeed['input'], 'homepage'>,
    getList: DemoFeed['getList'],
    isPaused?: true,
  ): DemoFeed => ({ path, input: { ...input, homepage: toHomepage(path) }, getList, ...(isPaused && { isPaused }) });
  return [
    create(
      '/link-seller-index/offers.txt',
      { name: 'Link Seller Index', sourceKind: 'inventory', licence: 'CC-BY-4.0' },
      grow(0, 0, (name) => name),
    ),
    create('/agency-pool/disavow.txt', { name: 'Agency Disavow Pool', sourceKind: 'disavow', licence: 'MIT' }, disavow),
    create(
      '/spun-content/blocklist.txt',
      { name: 'Spun Content Watch', licence: 'BSD-3-Clause' },
      // The last copy lost half of its names.
      (week) => {
        const list = spun(week);
        return week < weeks - 1 ? list : list.slice(0, list.lastIndexOf('\n', list.length / 2) + 1);
      },
    ),
    create('/guest-posts/sites.txt', { name: 'Guest Post Monitor', licence: 'CC0-1.0' }, (week) =>
      week < weeks - 2 ? guests(week) : undefined,
    ),
    create(
      '/expired-radar/domains.txt',
      { name: 'Expired Domain Radar', licence: 'MIT' },
      grow(4 * size, 2, (name) => `||${name}^`),
      true,
    ),
    create('/trusted-publishers/sites.json', { name: 'Trusted Publishers', kind: 'allow', licence: 'MIT' }, (week) =>
      JSON.stringify(clean.slice(0, 50 + 2 * week)),
    ),
  ];
}
