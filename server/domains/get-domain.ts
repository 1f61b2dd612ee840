import type { Domain } from '#shared/domains.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { domainOf } from './domain-of.ts';
import { findRow } from './store-rows.ts';

/** One domain as the asker may see it. Throws 404. */
export async function getDomain(db: Db, id: number, isAdmin: boolean): Promise<Domain> {
  const row = await findRow(db, id);
  if (!row) throw notFound('domain', id);
  return domainOf(row, isAdmin);
}
