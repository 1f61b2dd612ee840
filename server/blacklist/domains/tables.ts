import type { Generated, GeneratedAlways } from 'kysely';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    domains: DomainsTable;
    domain_counts: DomainCountsTable;
    domain_grams: DomainGramsTable;
    domain_gram_changes: DomainGramChangesTable;
    deleted_domains: DeletedDomainsTable;
  }
}

export interface DomainsTable {
  id: Id;
  name: string;
  tld: string;
  risk_level: number;
  risk_given: Generated<boolean>;
  source: string[];
  source_count: GeneratedAlways<number>;
  source_start: GeneratedAlways<string>;
  source_details: string | null;
  description: string | null;
  notes: string | null;
  niche: string | null;
  domain_rating: number | null;
  outbound_links: number | null;
  cost: string | null;
  cost_amount: GeneratedAlways<number | null>;
  added_by: string | null;
  added_at: Created;
  updated_at: Created;
  copies: Generated<number>;
  proof: Generated<number>;
}

export interface DomainCountsTable {
  facet: string;
  key: string;
  delta: number;
}

export interface DomainGramsTable {
  gram: string;
  count: number;
}

export interface DomainGramChangesTable {
  name: string;
  sign: number;
}

export interface DeletedDomainsTable {
  id: number;
  deleted_at: Date;
  domain: unknown;
  rule: unknown;
}
