import {
  type createDomainList,
  type DomainList,
  emptyListMessage,
  listDays,
  type listDomainLists,
  maxListBytes,
  maxListsPerUser,
} from '#shared/checks/domain-lists.ts';
import type { QueryOf, ResponseOf } from '#shared/platform/endpoint.ts';
import { toPagination } from '#shared/platform/page.ts';
import type { Context } from '../../context.ts';
import { getClientNetwork } from '../../platform/http/address.ts';
import { invalidField, notFound } from '../../platform/http/errors.ts';
import type { Call } from '../../platform/http/scope.ts';
import { admitUpload } from '../../platform/storage/storage.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { requireRoom } from '../../platform/usage/usage.ts';
import { recordListCheck, recordListSearch } from '../checks/checks.ts';
import {
  type CheckedList,
  checkNewList,
  type ListFormat,
  type NewListTask,
  recheckEntries,
  type recheckList,
} from './check-list.ts';
import * as store from './store.ts';

/** How often an account or the network of a visitor can open stored lists. Each time, all entries are checked again. */
export const maxListReadsPerHour = 600;

/** A text of this length takes some milliseconds. A longer one, and each file, is read in a process of its own. */
const maxShortBytes = 2000;

/** The part of the context that lists need. */
type ListContext = Pick<Context, 'db' | 'files' | 'now' | 'processes' | 'readDb' | 'readPool'>;

/**
 * Reads, checks and stores a list. Nothing of a list that is refused is stored. The oldest list of a user with too many
 * is deleted.
 * @returns the JSON of a DomainList
 * @throws 400 for an empty list, one with too many names or a file without domains, 413 for a file that is too large,
 *   403 when the user has reached the search limit, 429 after too many lists in the last hour, 503 while too many
 *   others wait
 */
export async function createList(context: Context, call: Call<typeof createDomainList>): Promise<string> {
  const { db, now } = context;
  const { user, request } = call;
  await recordListCheck(context, user ?? getClientNetwork(request));
  const { hash, results, ...list } = await checkList(context, call);
  if (user) await recordListSearch(context, hash, user);
  const row = { ...list, userId: user?.id ?? null, createdAt: now() };
  const id = await db.transaction().execute(async (trx) => {
    const inserted = await store.insertList(trx, row);
    if (user) {
      await store.deleteOldLists(trx, user.id, maxListsPerUser);
      await requireRoom(trx, context.config, user.id, 'lists');
    }
    return inserted;
  });
  return writeDomainList({ ...row, id }, results);
}

async function checkList(context: Context, call: Call<typeof createDomainList>): Promise<CheckedList> {
  const { files, now, processes } = context;
  const { request, user, body, signal } = call;
  const options = { isAdmin: user?.isAdmin ?? false, now: now() };
  const checkElsewhere = (source: NewListTask['source']) =>
    processes.runInTurn<typeof checkNewList>(
      { key: toKey(call), signal },
      { module: checkModule, name: 'checkNewList' },
      { source, ...options },
    );
  if (!request.isMultipart()) {
    if (!body) throw invalidField('text', emptyListMessage);
    return Buffer.byteLength(body.text) > maxShortBytes
      ? checkElsewhere(body)
      : checkNewList(toCheckContext(context), { source: body, ...options });
  }
  await using upload = await admitUpload(context, { user, request }, { field: 'file', maxBytes: maxListBytes });
  const [{ path, fileName }] = (await upload.receive()).files;
  // A process that is ended cannot remove its temporary files.
  const folder = await files.createFolder();
  try {
    return await checkElsewhere({ path: files.locate(path), fileName, folder: files.locate(folder) });
  } finally {
    await files.remove(folder);
  }
}

const checkModule = new URL('./check-list.ts', import.meta.url);
const toCheckContext = ({ readDb, readPool }: ListContext) => ({ db: readDb, pool: readPool });

/** The account or the network of the visitor. */
const toKey = ({ user, request }: Caller): string =>
  user ? `account:${user.id}` : `address:${getClientNetwork(request)}`;

type Caller = Pick<Call<typeof createDomainList>, 'user' | 'request'>;
type ListCall = Pick<Call<typeof createDomainList>, 'user' | 'request' | 'signal'> & { params: { id: string } };

/**
 * Checks a stored list against the blacklist as it is now.
 * @returns the JSON of a DomainList
 * @throws 404 for an expired list and for one of another user, 429 after too many requests in the last hour, 503 while
 *   too many others wait
 */
export async function getList(context: ListContext, call: ListCall): Promise<string> {
  const { row, results } = await recheck(context, call, 'json');
  return writeDomainList(row, results);
}

/** Checks a stored list like `getList`. @returns a CSV file */
export async function exportList(context: ListContext, call: ListCall): Promise<{ fileName: string; text: string }> {
  const { row, results } = await recheck(context, call, 'csv');
  return { fileName: `linksieve-check-${row.createdAt.toISOString().slice(0, 10)}.csv`, text: results };
}

async function recheck(context: ListContext, call: ListCall, format: ListFormat) {
  const { db, now, processes } = context;
  const { user, params, signal } = call;
  const key = toKey(call);
  const limitMessage = 'You have opened too many lists in the last hour. Try again later.';
  await recordUse(db, { key: `read-list:${key}`, maxPerHour: maxListReadsPerHour, limitMessage }, now());
  const id = { id: params.id, userId: user?.id ?? null, oldest: getOldest(now()) };
  const row = await store.findList(db, { id: id.id, userId: id.userId }, id.oldest, maxShortBytes);
  if (!row) throw notFound('list', id.id);
  const options = { isAdmin: user?.isAdmin ?? false, now: now(), format };
  const { entries, duplicates } = row;
  const results = await (entries === null
    ? processes.runInTurn<typeof recheckList>(
        { key, signal },
        { module: checkModule, name: 'recheckList' },
        { ...id, ...options },
      )
    : recheckEntries(toCheckContext(context), { entries, duplicates, ...options }));
  return { row, results };
}

/** @param results the JSON of an object with the other fields */
function writeDomainList(
  { id, userId, createdAt }: Omit<store.ListRow, 'entries' | 'duplicates'>,
  results: string,
): string {
  const facts: Omit<DomainList, 'summary' | 'networks' | 'results'> = {
    id,
    createdAt: createdAt.toISOString(),
    expiresAt: toExpiry(createdAt, userId === null ? listDays.visitor : listDays.user),
    isPrivate: userId !== null,
  };
  return `${JSON.stringify(facts).slice(0, -1)},${results.slice(1)}`;
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

/** Deletes one of the user's lists. @throws 404 if the user has no such list */
export async function deleteList({ db }: Pick<Context, 'db'>, userId: number, id: string): Promise<void> {
  if (!(await store.deleteList(db, userId, id))) throw notFound('list', id);
}

const dayMs = 24 * 60 * 60 * 1000;

const toExpiry = (createdAt: Date, days: number): string => new Date(createdAt.getTime() + days * dayMs).toISOString();

const getOldest = (now: Date): store.ListAges => ({
  visitor: new Date(now.getTime() - listDays.visitor * dayMs),
  user: new Date(now.getTime() - listDays.user * dayMs),
});
