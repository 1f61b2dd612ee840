import type { Generated } from 'kysely';
import type { DiscoveryStatus } from '#shared/blacklist/discoveries.ts';
import type { Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    discoveries: DiscoveriesTable;
  }
}

export interface DiscoveriesTable {
  id: Id;
  domain: string;
  status: Generated<DiscoveryStatus>;
  wanted_at: Date | null;
  seen_at: Date | null;
  quote: string | null;
  price: number | null;
  currency: string | null;
  url: string | null;
  contact_url: string | null;
  sponsored_share: number | null;
  problem: string | null;
  decided_at: Date | null;
}
