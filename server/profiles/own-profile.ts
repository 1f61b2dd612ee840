import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import * as store from './store.ts';

/** A profile of the user. Throws 404 for any other, another person's too. */
export async function getOwnProfile(db: Db, userId: number, id: number): Promise<{ id: number; domain: string }> {
  const profile = await store.findProfile(db, userId, id);
  if (!profile) throw notFound('website profile', id);
  return profile;
}

/** The user's profiles, newest first. */
export function listProfilesOf(db: Db, userId: number) {
  return store.listProfiles(db, userId);
}

/** Deletes the user's profiles with their reports. */
export function deleteProfilesOf(db: Db, userId: number): Promise<void> {
  return store.deleteProfilesOf(db, userId);
}

/** It stays the user's own until the transaction ends. Throws 404 when it has gone to somebody else. */
export async function holdOwnProfile(trx: Db, userId: number, id: number): Promise<void> {
  if (!(await store.lockOwner(trx, userId, id))) throw notFound('website profile', id);
}
