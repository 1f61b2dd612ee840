import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { FamilySuggestion } from '#shared/blacklist/sources.ts';
import { csvRow } from '../../platform/csv/write-csv.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { importJob } from '../imports/jobs.ts';
import { uploadImport, waitForImport } from '../imports/upload.fixtures.ts';
import { sourceRunJob } from './jobs.ts';
import { hasRealLists, readPopularSites, readRealLists } from './real-lists.fixtures.ts';
import { buildSourceData } from './sources.fixtures.ts';

test.skipIf(!hasRealLists)(
  'public lists that copy from each other are suggested as a family, count once, and list no popular site',
  { timeout: 600_000 },
  async () => {
    const testApp = await startTestApp({}, { work: [importJob, sourceRunJob] });
    const { call, context, signUp } = testApp;
    const { db } = context;
    const { cookie: as } = await signUp({ admin: true });
    const rows = [...readRealLists()].flatMap(([source, values]) => values.map((value) => csvRow([value, source])));
    const { jobId } = (await uploadImport(testApp, as, `domain,source\r\n${rows.join('')}`)).json();
    const status = await waitForImport(testApp, as, jobId);
    expect(status).toMatchObject({ status: 'completed', totalCount: rows.length });

    const readCounts = async () => {
      const { rows: counts } = await sql<{ independent: number; domains: number }>`
        select (source_count - copies)::integer as independent, count(*)::integer as domains
        from domains group by 1 order by 1
      `.execute(db);
      return new Map(counts.map(({ independent, domains }) => [independent, domains]));
    };
    const before = await readCounts();
    expect(before.get(2)).toBeGreaterThan(7700);
    expect(before.get(2)).toBeLessThan(7900);

    const suggestions: FamilySuggestion[] = (await call('GET', '/api/admin/families/suggestions', { as })).json();
    const family = ['bad-bot-blocker', 'matomo_referrer_spammers', 'public-disavow-links'];
    expect(suggestions.map(({ sources }) => sources.map(({ name }) => name).sort())).toEqual([family]);
    const sourceIds = suggestions[0]?.sources.map(({ id }) => id);
    await call('POST', '/api/admin/families', { as, body: { name: 'Referrer spam', sourceIds } });
    expect(await buildSourceData(testApp).waitForSourceRuns()).toEqual([]);
    const after = await readCounts();
    expect(after.get(2)).toBeGreaterThan(40);
    expect(after.get(2)).toBeLessThan(70);
    expect([...after.keys()]).toEqual([1, 2]);

    const { rows: listed } = await sql<{ name: string }>`
      select name from domains where name = any(${readPopularSites()}::text[])
    `.execute(db);
    expect(listed).toEqual([]);
    const { held, pagination } = (await call('GET', '/api/admin/held?search=msn.com', { as })).json();
    expect([held[0].domain, held[0].source, held[0].reason]).toEqual([
      'msn.com',
      'bad-websites',
      'msn.com is a well-known site.',
    ]);
    expect(pagination.total).toBeGreaterThan(0);
  },
);
