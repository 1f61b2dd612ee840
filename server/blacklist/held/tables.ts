import type { HeldCells } from '#shared/blacklist/held.ts';
import type { Id, Json } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    held_listings: HeldListingsTable;
  }
}

/** Listings that wait for an admin's decision, or that an admin rejected. */
export interface HeldListingsTable {
  id: Id;
  domain: string;
  source_id: number;
  reason: string;
  cells: Json<HeldCells>;
  held_at: Date;
  rejected_at: Date | null;
}
