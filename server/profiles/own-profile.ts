import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { findProfile } from './store.ts';

/** A profile of the user. Throws 404 for any other, another person's too. */
export async function getOwnProfile(db: Db, userId: number, id: number): Promise<{ id: number; domain: string }> {
  const profile = await findProfile(db, userId, id);
  if (!profile) throw notFound('website profile', id);
  return profile;
}
