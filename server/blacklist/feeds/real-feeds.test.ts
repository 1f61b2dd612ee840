import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CatalogueEntry } from '#shared/blacklist/feeds.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { executeFeedRun } from './feeds.ts';
import { buildFeedCalls, startListServer } from './list-server.fixtures.ts';

/** Public lists that are not in the repository, next to it. */
const folder = join(import.meta.dirname, '../../../../shared/data');
/** The files of the catalogue's lists, by their keys. */
const files: Record<string, string> = {
  gposting: 'feeds/networks/gposting.txt',
  'public-disavow-links': 'feeds/public-disavow-links.disavow.txt',
  'turkish-tech-disavow': 'lists/turkish_tech_disavow.txt',
  'bad-bot-blocker': 'feeds/bad-bot-blocker.disavow.txt',
  'spamdexing-sites': 'feeds/spamdexing.plain.txt',
  'matomo-referrer-spam': 'lists/matomo_referrer_spammers.txt',
  'seo-garbage': 'feeds/seo-garbage.plain.txt',
  'bad-website-blocklist': 'feeds/bad-websites.ublacklist.txt',
  'top-sites': 'feeds/top-sites.allow.json',
};

test.skipIf(!existsSync(folder))(
  'the recommended lists fill an empty blacklist, and no well-known site is listed',
  { timeout: 300_000 },
  async () => {
    const server = await startListServer();
    const testApp = await startTestApp({ ALLOW_PRIVATE_ADDRESSES: '1', FEED_MIRROR_URL: server.url('') });
    const { call, context, signUp } = testApp;
    const { cookie: as } = await signUp({ admin: true });
    const { createFeed, getFeed, listRuns } = buildFeedCalls(testApp, as);
    const add = async (input: object) => {
      const { id, lastRun } = await createFeed(input);
      await executeFeedRun(context, lastRun?.id ?? 0);
      return { feed: await getFeed(id), run: (await listRuns(id))[0] };
    };
    const entries: CatalogueEntry[] = (await call('GET', '/api/admin/feeds/catalogue', { as })).json();
    const wanted = entries.filter(({ key, isRecommended }) => isRecommended || key === 'gposting');
    for (const { key, url, name, approximateSize } of wanted) {
      server.serve(decodeURI(new URL(url).pathname), readFileSync(join(folder, files[key] ?? ''), 'utf8'));
      const { feed, run } = await add({ catalogueKey: key });
      expect([name, run?.status, run?.error]).toEqual([name, 'updated', null]);
      const size = feed.domains + (run?.held ?? 0);
      expect(Math.abs(size - approximateSize), `${name}: ${size}`).toBeLessThan(approximateSize * 0.15 + 20);
    }
    const { total } = (await call('GET', '/api/stats/count', { as })).json();
    expect(total).toBeGreaterThan(20_000);
    const sites: { rootDomain: string }[] = JSON.parse(
      readFileSync(join(folder, 'feeds/top-sites.allow.json'), 'utf8'),
    );
    const names = sites.map(({ rootDomain }) => rootDomain.replace(/^www\./, ''));
    const { rows } = await sql`select name from domains where name = any(${names}::text[])`.execute(context.db);
    expect(rows).toEqual([]);
    const { sources } = (await call('GET', '/api/admin/sources?search=GPosting', { as })).json();
    expect(sources).toMatchObject([{ kind: 'inventory', family: { name: 'Super SEO Spam Suppressor' } }]);

    // One list in four formats: the others list exactly the names of the first.
    for (const format of ['adblock', 'ublock', 'ublacklist']) {
      server.serve(`/spamdexing.${format}`, readFileSync(join(folder, `feeds/spamdexing.${format}.txt`), 'utf8'));
      await add({ name: `Spamdexing ${format}`, url: server.url(`/spamdexing.${format}`) });
    }
    const { rows: hashes } = await sql<{ name: string; hash: string }>`
      select sources.name, md5(string_agg(listings.name, ' ' order by listings.name)) as hash
      from listings join sources on sources.id = source_id where sources.name like 'Spamdexing %' group by sources.name
    `.execute(context.db);
    expect(hashes).toHaveLength(4);
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(1);
  },
);
