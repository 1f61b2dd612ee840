import { sql } from 'kysely';
import type { FeedKind } from '#shared/blacklist/feeds.ts';
import type { Db } from '../../platform/db/database.ts';
import { domainCount } from '../sources/queries.ts';

const listName = sql<string>`coalesce(sources.name, feeds.name)`;
/** Names of private sources are not public. A list that protects sites has no source. */
const isPublic = sql<boolean>`(feeds.kind = 'allow' or coalesce(sources.is_public, false))`;
const toMonth = (column: string) => sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM')`;

/** Returns what each list changed in each month (UTC). `listed` and `delisted` count domains of the blacklist. */
export function listFeedMonths(db: Db, since: Date) {
  return db
    .selectFrom('feed_runs')
    .innerJoin('feeds', 'feeds.id', 'feed_id')
    .leftJoin('sources', 'sources.id', 'source_id')
    .select(({ fn }) => [
      toMonth('feed_runs.finished_at').as('month'),
      listName.as('name'),
      isPublic.as('isPublic'),
      'feeds.kind',
      'homepage',
      'licence',
      fn.sum<number>('added').as('added'),
      fn.sum<number>('removed').as('removed'),
      fn.sum<number>('listed').as('listed'),
      fn.sum<number>('delisted').as('delisted'),
      fn.max('feed_runs.finished_at').as('updatedAt'),
    ])
    .where('feed_runs.status', '=', 'completed')
    .where('feed_runs.finished_at', '>=', since)
    .groupBy(['month', 'feeds.id', 'sources.id'])
    .orderBy(sql`lower(coalesce(sources.name, feeds.name) collate "default")`)
    .orderBy('feeds.id', 'desc')
    .execute();
}

/** Returns the number of imports in each month (UTC), and of the domains that they added. */
export function listImportMonths(db: Db, since: Date) {
  return db
    .selectFrom('imports')
    .select(({ fn }) => [
      toMonth('finished_at').as('month'),
      fn.countAll<number>().as('imports'),
      sql<number>`sum(imported_count)::bigint`.as('imported'),
      fn.max('finished_at').as('updatedAt'),
    ])
    .where('status', '=', 'completed')
    .where('dry_run', '=', false)
    .where('finished_at', '>=', since)
    .groupBy('month')
    .execute();
}

export interface PublicListRow {
  name: string;
  kind: FeedKind;
  homepage: string | null;
  licence: string | null;
  domains: number;
  lastSuccessAt: Date | null;
  isDeleted: boolean;
}

/** Returns the feeds with public names, by name, the current one of a list first. */
export function listPublicListRows(db: Db): Promise<PublicListRow[]> {
  return db
    .selectFrom('feeds')
    .leftJoin('sources', 'sources.id', 'source_id')
    .select([
      listName.as('name'),
      'feeds.kind',
      'homepage',
      'licence',
      sql<number>`case when feeds.kind = 'block' then ${domainCount} else feeds.names end`.as('domains'),
      'last_success_at as lastSuccessAt',
      sql<boolean>`deleted_at is not null`.as('isDeleted'),
    ])
    .where(isPublic)
    .orderBy(sql`lower(coalesce(sources.name, feeds.name) collate "default")`)
    .orderBy(sql`deleted_at desc nulls first`)
    .execute();
}
