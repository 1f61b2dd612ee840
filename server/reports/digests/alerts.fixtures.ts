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
        .insertInto('profiles')
        .values({ user_id: userId, domain })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.insertInto('watches').values({ profile_id: id, digest, enabled }).execute();
      return { id, domain };
    },

    async createAlerts(profileId: number, ...alerts: AlertOptions[]): Promise<void> {
      const rows = alerts.map(({ event = 'listed', backlinks = 1, at, ...alert }) => ({
        run_id: alert.runId ?? 1,
        profile_id: profileId,
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

    async createReport(profileId: number, createdAt: Date): Promise<void> {
      const cells = { file_name: 'links.csv', formats: '[]', ignored_tables: '[]', risk_counts: '{}' };
      const counts = { total_backlinks: 1, total_domains: 1, unique_domains: 1, toxic_domains: 0 };
      await db
        .insertInto('reports')
        .values({ profile_id: profileId, created_at: createdAt, ...cells, ...counts })
        .execute();
    },

    async getDigest(profileId: number): Promise<DigestInterval> {
      const query = db.selectFrom('watches').select('digest').where('profile_id', '=', profileId);
      return (await query.executeTakeFirstOrThrow()).digest;
    },

    countUnmailed: (profileId: number) =>
      db
        .selectFrom('alerts')
        .select('id')
        .where('profile_id', '=', profileId)
        .where('mailed_at', 'is', null)
        .execute()
        .then(({ length }) => length),
  };
}
