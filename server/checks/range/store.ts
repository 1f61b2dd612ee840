import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** A listed name or, with nulls, a name with an allow rule. `riskLevel` is 1 to 4, `confidence` 1 to 3. */
export interface HashedRow {
  name: string;
  /** 64 hexadecimal digits. */
  hash: string;
  riskLevel: number | null;
  confidence: number | null;
  sourceCount: number | null;
  dateAdded: Date | null;
}

/**
 * Returns the names whose hash starts with the digits, at least four. A name with an allow rule is returned only as
 * one.
 */
export async function listRowsByPrefix(db: Db, prefix: string): Promise<HashedRow[]> {
  const bytes = Buffer.from(prefix.slice(0, 4), 'hex');
  const { rows } = await sql<HashedRow>`
    select * from (
      select name, encode(domain_hash(name), 'hex') as hash, risk_level as "riskLevel",
        domain_confidence(source_count, copies, proof) as confidence, source_count as "sourceCount",
        added_at as "dateAdded"
      from domains
      where substring(domain_hash(name) from 1 for 2) = ${bytes}
        and not exists (select from site_rules where decision = 'allow' and domain = domains.name)
      union all
      select domain, encode(domain_hash(domain), 'hex'), null, null, null, null
      from site_rules
      where decision = 'allow' and substring(domain_hash(domain) from 1 for 2) = ${bytes}
    ) as found
    where starts_with(hash, ${prefix})
  `.execute(db);
  return rows;
}
