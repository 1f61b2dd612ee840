import {
  type createDomainList,
  type DomainList,
  emptyListMessage,
  listDays,
  type listDomainLists,
  maxListBytes,
  maxListsPerUser,
} from '#shared/domain-lists.ts';
import type { QueryOf, ResponseOf } from '#shared/endpoint.ts';
import { toPagination } from '#shared/page.ts';
import { recordListCheck, recordListSearch } from '../checks/checks.ts';
import type { Context } from '../context.ts';
import { isUnreadableFile } from '../csv/unreadable-file.ts';
import { getClientNetwork } from '../http/address.ts';
import { invalidField, notFound } from '../http/errors.ts';
import type { Call } from '../http/scope.ts';
import { withUploads } from '../storage/storage.ts';
import { recordUse } from '../throttle/throttle.ts';
import { requireRoom } from '../usage/usage.ts';
import { type ListEntry, type NameList, UnusableList } from './collect-entries.ts';
import { readListFile, readListText } from './read-list.ts';
import { checkEntries } from './results.ts';
import * as store from './store.ts';

/** How often an account or the network of a visitor can open stored lists. Each time, all entries are checked again. */
export const maxListReadsPerHour = 600;

/**
 * Reads, checks and stores a list. Nothing of a list that is refused is stored. The oldest list of a user with too many is
 * deleted.
 * @throws 400 for an empty list, one with too many names or a file without domains, 413 for a file that is too large, 403
 *   when the user has reached the search limit, 429 after too many lists in the last hour
 */
export async function createList(context: Context, call: Call<typeof createDomainList>): Promise<DomainList> {
  const { db, now } = context;
  const { user, request } = call;
  await recordListCheck(context, user ?? getClientNetwork(request));
  const { entries, duplicates } = await readList(context, call);
  const checked = await checkEntries(context, entries, user?.isAdmin ?? false);
  const names = entries.map(({ domain }) => domain);
  if (user) await recordListSearch(context, names, user);
  const row = { userId: user?.id ?? null, entries: writeEntries(entries), duplicates, createdAt: now() };
  const counts = { entryCount: entries.length, listedCount: checked.summary.listed };
  const id = await db.transaction().execute(async (trx) => {
    const inserted = await store.insertList(trx, { ...row, ...counts });
    if (user) {
      await store.deleteOldLists(trx, user.id, maxListsPerUser);
      await requireRoom(trx, context.config, user.id, 'lists');
    }
    return inserted;
  });
  return toDomainList({ ...row, id }, checked);
}

async function readList(
  context: Context,
  { request, user, body, signal }: Call<typeof createDomainList>,
): Promise<NameList> {
  if (!request.isMultipart()) {
    if (!body) throw invalidField('text', emptyListMessage);
    return refuse('text', async () => readListText(body.text));
  }
  return withUploads(context, { user, request }, { field: 'file', maxBytes: maxListBytes }, ({ files: [file] }) =>
    refuse('file', () => readListFile(file, context.files, signal)),
  );
}

/** Throws 400 for `field` if the list cannot be used. */
async function refuse(field: string, read: () => Promise<NameList>): Promise<NameList> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof UnusableList || isUnreadableFile(error) ? invalidField(field, error.message) : error;
  }
}

/**
 * Checks a stored list against the blacklist as it is now.
 * @throws 404 for an expired list and for one of another user, 429 after too many requests in the last hour
 */
export async function getList(
  context: Context,
  {
    params: { id },
    user,
    request,
  }: Pick<Call<typeof createDomainList>, 'user' | 'request'> & { params: { id: string } },
): Promise<DomainList> {
  const { db, now } = context;
  const caller = user ? `account:${user.id}` : `address:${getClientNetwork(request)}`;
  const limitMessage = 'You have opened too many lists in the last hour. Try again later.';
  await recordUse(db, { key: `read-list:${caller}`, maxPerHour: maxListReadsPerHour, limitMessage }, now());
  const row = await store.findList(db, id, user?.id ?? null, getOldest(now()));
  if (!row) throw notFound('list', id);
  return toDomainList(row, await checkEntries(context, readEntries(row.entries), user?.isAdmin ?? false));
}

function toDomainList(
  { id, userId, duplicates, createdAt }: store.ListRow,
  { summary, networks, results }: Awaited<ReturnType<typeof checkEntries>>,
): DomainList {
  return {
    id,
    createdAt: createdAt.toISOString(),
    expiresAt: toExpiry(createdAt, userId === null ? listDays.visitor : listDays.user),
    isPrivate: userId !== null,
    summary: { ...summary, duplicates },
    networks,
    results,
  };
}

/** Returns a page of the user's lists, newest first. */
export async function listOwnLists(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  { page, pageSize }: QueryOf<typeof listDomainLists>,
): Promise<ResponseOf<typeof listDomainLists>> {
  const oldest = getOldest(now()).user;
  const [rows, total] = await Promise.all([
    store.listNewestLists(db, userId, oldest, { offset: page * pageSize, limit: pageSize }),
    store.countLists(db, userId, oldest),
  ]);
  const lists = rows.map(({ createdAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    expiresAt: toExpiry(createdAt, listDays.user),
  }));
  return { lists, pagination: toPagination(page, pageSize, total) };
}

/** Deletes one of the user's lists. Throws 404 if the user has no such list. */
export async function deleteList({ db }: Pick<Context, 'db'>, userId: number, id: string): Promise<void> {
  if (!(await store.deleteList(db, userId, id))) throw notFound('list', id);
}

const dayMs = 24 * 60 * 60 * 1000;

const toExpiry = (createdAt: Date, days: number): string => new Date(createdAt.getTime() + days * dayMs).toISOString();

const getOldest = (now: Date): store.ListAges => ({
  visitor: new Date(now.getTime() - listDays.visitor * dayMs),
  user: new Date(now.getTime() - listDays.user * dayMs),
});

/** Entries contain neither tabs nor line breaks. */
const writeEntries = (entries: readonly ListEntry[]): string =>
  entries.map(({ domain, price }) => (price === null ? domain : `${domain}\t${price}`)).join('\n');

const readEntries = (text: string): ListEntry[] =>
  text.split('\n').map((line) => {
    const [domain = '', price = null] = line.split('\t');
    return { domain, price };
  });

/** Returns a page of the user's lists without their entries: those after the id `after`, in the order of their ids. */
export const listListsOfUser = store.listListsOfUser;
