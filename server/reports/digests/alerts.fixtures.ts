import { randomUUID } from 'node:crypto';
import type { AlertEvent, DigestInterval } from '#shared/reports/watch.ts';
import type { Context } from '../../context.ts';

interface AlertOptions {
  runId?: number;
  domain?: string;
  event?: AlertEvent;
  /** Risk levels from 1 to 4. */
  from?: number | null;
  to?: number | null;
  backlinks?: number;
  at: Date;
  readAt?: Date;
}

/** Inserts watched websites with their alerts and reports, as the topics that own them do. */
export function buildAlertCalls({ db }: Pick<Context, 'db'>) {
  return {
    /** @returns the id and the domain of the website */
    async createWebsite(userId: number, digest: DigestInterval, cells: { domain?: string; enabled?: boolean } = {}) {
      const { domain = `${randomUUID().slice(0, 13)}.example`, enabled = true } = cells;
      const { id } = await db
        .insertInto('websites')
        .values({ user_id: userId, domain })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.insertInto('watches').values({ website_id: id, digest, enabled }).execute();
      return { id, domain };
    },

    async createAlerts(websiteId: number, ...alerts: AlertOptions[]): Promise<void> {
      const rows = alerts.map(({ event = 'listed', backlinks = 1, at, ...alert }) => ({
        run_id: alert.runId ?? 1,
        website_id: websiteId,
        domain: alert.domain ?? `${randomUUID().slice(0, 13)}.test`,
        event,
        from_level: alert.from ?? null,
        to_level: alert.to ?? (event === 'delisted' ? null : 1),
        backlinks,
        created_at: at,
        read_at: alert.readAt ?? null,
      }));
      await db.insertInto('alerts').values(rows).execute();
    },

    async createReport(websiteId: number, createdAt: Date): Promise<void> {
      const cells = { file_name: 'links.csv', formats: '[]', ignored_tables: '[]', risk_counts: '{}' };
      const counts = { total_backlinks: 1, total_domains: 1, unique_domains: 1, toxic_domains: 0 };
      await db
        .insertInto('reports')
        .values({ website_id: websiteId, created_at: createdAt, ...cells, ...counts })
        .execute();
    },

    async getDigest(websiteId: number): Promise<DigestInterval> {
      const query = db.selectFrom('watches').select('digest').where('website_id', '=', websiteId);
      return (await query.executeTakeFirstOrThrow()).digest;
    },

    countUnmailed: (websiteId: number) =>
      db
        .selectFrom('alerts')
        .select('id')
        .where('website_id', '=', websiteId)
        .where('mailed_at', 'is', null)
        .execute()
        .then(({ length }) => length),
  };
}
