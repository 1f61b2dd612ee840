import type { ColumnType, Generated } from 'kysely';
import type { ViewQuery } from '#shared/blacklist/saved-view-changes.ts';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    saved_views: SavedViewsTable;
  }
}

export interface SavedViewsTable {
  id: Id;
  user_id: number;
  name: string;
  query: ColumnType<ViewQuery, string, string>;
  is_default: Generated<boolean>;
  created_at: Created;
  updated_at: Created;
}
