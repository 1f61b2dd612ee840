import type { OwnedProfile } from '#shared/profiles.ts';
import { findPerson } from '../accounts/manage-users.ts';
import { moveAnalyses } from '../backlinks/move-analyses.ts';
import type { Db } from '../db/database.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import type { Note } from '../http/scope.ts';
import { ownedProfileOf } from './owned-profile.ts';
import { findOwned, lockProfile, type OwnedRow, updateOwner } from './store-owned.ts';

/**
 * Gives a profile to the account of a Firebase UID, an e-mail address or a username: with its reports, and with analyses under way,
 * which end at the new owner. Throws 404 without such a profile, 400 without such an account, 409 when it is theirs already.
 */
export async function transferProfile(db: Db, profileId: number, newOwner: string, note: Note): Promise<OwnedProfile> {
  return await db.transaction().execute(async (trx) => {
    if (!(await lockProfile(trx, profileId))) throw notFound('website profile', profileId);
    const person = await findPerson(trx, newOwner);
    if (!person) throw refused('There is no account with this UID, email address or username.');
    if (person.isDisabled) throw refused(`The account ${person.username} is disabled. Enable it first.`);
    const { userId, username, domain } = await getOwned(trx, profileId);
    if (userId === person.id) throw conflict(`${domain} belongs to ${person.username} already.`);
    await updateOwner(trx, profileId, person.id);
    await moveAnalyses(trx, profileId, person.id);
    await note(trx, { id: profileId, domain, from: username, to: person.username });
    return ownedProfileOf(await getOwned(trx, profileId));
  });
}

const refused = (sentence: string) => invalid(sentence, { newFirebaseUid: sentence });

async function getOwned(db: Db, id: number): Promise<OwnedRow> {
  const row = await findOwned(db, id);
  if (!row) throw notFound('website profile', id);
  return row;
}
