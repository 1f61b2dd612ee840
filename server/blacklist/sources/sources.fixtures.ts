import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { SourceKind } from '#shared/blacklist/sources.ts';
import type { TestApp } from '../../test-app.fixtures.ts';
import { refreshDomains } from './queries.ts';

/** A listing to insert. `source` is a name. */
export interface TestListing {
  source: string;
  price?: string;
  evidenceUrl?: string;
  note?: string;
  firstSeen?: string;
  lastSeen?: string;
  withdrawn?: boolean;
}

const firstDay = '2026-01-01T00:00:00Z';

interface StoredFacts {
  sources: number;
  independent: number;
  confidence: number;
  risk: number;
}

/** What follows from the active listings of a domain: the same rule as that of the database, written in another way. */
function expectFacts(
  listings: readonly {
    source: string;
    kind: SourceKind;
    family: number | null;
    price: string | null;
    evidenceUrl: string | null;
  }[],
): StoredFacts {
  const places = listings.filter(({ source }) => source.toLowerCase() !== 'community');
  const families = new Set(places.flatMap(({ family }) => family ?? []));
  const loners = places.filter(({ family }) => family === null);
  const independent = Math.max(1, families.size + loners.length);
  const offers = listings.filter(({ kind }) => kind === 'inventory' || kind === 'submission');
  const isProven = offers.some(({ price, evidenceUrl }) => price !== null || evidenceUrl !== null);
  return {
    sources: listings.length,
    independent,
    confidence: isProven ? 3 : offers.length > 0 || independent > 1 ? 2 : 1,
    risk: [1, 2, 2, 3][independent - 1] ?? 4,
  };
}

/** Database helpers of the tests of sources. */
export function buildSourceData({ context: { db } }: TestApp) {
  /** Inserts a source, or returns the one with this name. @returns its id */
  async function createSource(name: string, cells: { kind?: SourceKind; familyId?: number } = {}): Promise<number> {
    const found = await db.selectFrom('sources').select('id').where('name', '=', name).executeTakeFirst();
    if (found) return found.id;
    const { kind = 'manual', familyId = null } = cells;
    const row = {
      name,
      kind,
      family_id: familyId,
      first_seen_at: new Date(firstDay),
      last_seen_at: new Date(firstDay),
    };
    return (await db.insertInto('sources').values(row).returning('id').executeTakeFirstOrThrow()).id;
  }

  return {
    createSource,
    /** Lists domains with their listings, like an import. Each source is created if it does not exist. */
    async createListedDomains(domains: Record<string, readonly (string | TestListing)[]>): Promise<void> {
      const names = Object.keys(domains);
      const all = Object.entries(domains).flatMap(([name, given]) =>
        given.map((one) => ({ name, ...(typeof one === 'string' ? { source: one } : one) })),
      );
      const ids = new Map<string, number>();
      for (const source of new Set(all.map((listing) => listing.source))) ids.set(source, await createSource(source));
      await db.transaction().execute(async (trx) => {
        for (const [name, given] of Object.entries(domains)) {
          const listed = given.map((one) => (typeof one === 'string' ? { source: one } : one));
          const source = listed.flatMap((listing) => (listing.withdrawn ? [] : listing.source));
          if (source.length === 0) continue;
          await sql`insert into domains (name, tld, risk_level, source) values (${name}, 'test', 1, ${source})`.execute(
            trx,
          );
        }
        for (const listing of all) {
          await trx
            .insertInto('listings')
            .values({
              name: listing.name,
              source_id: ids.get(listing.source) ?? 0,
              first_seen_at: new Date(listing.firstSeen ?? firstDay),
              last_seen_at: new Date(listing.lastSeen ?? firstDay),
              withdrawn_at: listing.withdrawn ? new Date(firstDay) : null,
              price: listing.price ?? null,
              evidence_url: listing.evidenceUrl ?? null,
              note: listing.note ?? null,
            })
            .execute();
        }
        await refreshDomains(trx, names, new Date());
      });
    },
    /** What a domain stores about its listings. */
    getStored: (name: string) =>
      db
        .selectFrom('domains')
        .select(['copies', 'proof', 'risk_level as risk', 'updated_at as updatedAt'])
        .select(sql<string>`source_text(source)`.as('source'))
        .where('name', '=', name)
        .executeTakeFirstOrThrow(),
    /** Returns the domains whose sources differ from those of their active listings. */
    async listMismatches(): Promise<unknown[]> {
      const { rows } = await sql`
        select domains.name, domains.source, listed.names from domains
        left join lateral (
          select array_agg(sources.name order by sources.name) as names from listings
          left join sources on sources.id = source_id
          where listings.name = domains.name and withdrawn_at is null
        ) as listed on true
        where listed.names is distinct from
          array(select one from unnest(domains.source) as one order by one)
      `.execute(db);
      return rows;
    },
    /** Returns the domains whose facts differ from those that `expectFacts` finds for their active listings. */
    async listWrongFacts(): Promise<unknown[]> {
      const rows = await db
        .selectFrom('listings')
        .innerJoin('sources', 'sources.id', 'source_id')
        .select(['listings.name as domain', 'sources.name as source', 'kind', 'family_id as family'])
        .select(['price', 'evidence_url as evidenceUrl'])
        .where('withdrawn_at', 'is', null)
        .execute();
      const active = Map.groupBy(rows, ({ domain }) => domain);
      const { rows: domains } = await sql<StoredFacts & { name: string; isGiven: boolean }>`
        select name, risk_given as "isGiven", source_count as sources, source_count - copies as independent,
          domain_confidence(source_count, copies, proof) as confidence, risk_level as risk
        from domains
      `.execute(db);
      return domains.flatMap(({ name, isGiven, ...stored }) => {
        const { risk, ...expected } = expectFacts(active.get(name) ?? []);
        const facts = { ...expected, risk: isGiven ? stored.risk : risk };
        return isDeepStrictEqual(stored, facts) ? [] : [{ name, stored, facts }];
      });
    },
    /** Waits until no change of sources is queued or running. @returns the runs that failed */
    async waitForSourceRuns(): Promise<unknown[]> {
      for (;;) {
        const open = await db
          .selectFrom('source_runs')
          .select('id')
          .where('status', 'in', ['queued', 'running'])
          .execute();
        if (open.length === 0) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return db.selectFrom('source_runs').selectAll().where('status', '<>', 'completed').execute();
    },
  };
}
