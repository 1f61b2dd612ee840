import type { Generated } from 'kysely';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    report_brands: ReportBrandsTable;
  }
}

interface ReportBrandsTable {
  user_id: number;
  name: string;
  logo: Buffer | null;
  logo_type: string | null;
  updated_at: Generated<Date>;
}
