import type { Db } from '../../platform/db/database.ts';

export function findBrand(db: Db, userId: number) {
  return db
    .selectFrom('report_brands')
    .select(['name', 'logo_type as logoType', 'updated_at as updatedAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export function findLogo(db: Db, userId: number) {
  return db
    .selectFrom('report_brands')
    .select(['logo', 'logo_type as type'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

interface BrandValues {
  name: string;
  logo?: { bytes: Buffer; type: string } | null;
}

/** Stores a name, and a logo if there is one. Without `logo`, the stored one stays. */
export async function saveBrand(db: Db, userId: number, { name, logo }: BrandValues, now: Date): Promise<void> {
  const picture = logo !== undefined && { logo: logo?.bytes ?? null, logo_type: logo?.type ?? null };
  const values = { name, updated_at: now, ...picture };
  await db
    .insertInto('report_brands')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}
