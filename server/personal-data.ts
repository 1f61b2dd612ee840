import type { AccountAccess } from '#shared/operations/account-access.ts';
import type { Context } from './context.ts';
import type { Db } from './platform/db/database.ts';
import type { Identity } from './platform/http/scope.ts';

/** What a topic knows about a person, for the download and the deletion of an account. */
export interface PersonalData {
  /** Fields of the file with all data of an account. Secrets and their hashes are left out. */
  fields?: { readonly [name: string]: (context: Context, user: Person) => PersonalField };
  /** Lists the websites of an account, for the field `websites` of that file. */
  listWebsites?(context: Context, userId: number): Promise<readonly { id: number }[]>;
  /** Fields that the topic adds to each website in that file. */
  websiteFields?: {
    readonly [name: string]: (context: Context, userId: number, websiteId: number) => PersonalField;
  };
  /**
   * Erases what must not outlive the account and does not refer to its row. `context.db` is a transaction that has
   * locked the account.
   */
  erase?(context: ErasingContext, user: Person, options: ErasureOptions): Promise<void>;
  /** Updates what the topic stores for the email address of an account, which `trx` has locked. */
  changeEmail?(trx: Db, userId: number, address: { from: string; to: string }): Promise<void>;
  /** Access to the account that outlives its sessions, such as keys and links. */
  access?: {
    /** Lists it for the account page. */
    list?(context: Context, userId: number): Promise<Partial<AccountAccess>>;
    /** Ends it. `context.db` is a transaction that has locked the account. */
    end(context: AccessContext, userId: number): Promise<void>;
  };
}

export type Person = Pick<Identity, 'id' | 'isAdmin'> & { email: string };
/** A value, or the rows of an array that may be too large for memory. */
export type PersonalField = Promise<unknown> | AsyncIterable<unknown>;
export type ErasingContext = Pick<Context, 'db' | 'jobs'>;
export type AccessContext = Pick<Context, 'config' | 'db' | 'secretKey'>;

export interface ErasureOptions {
  /** Keeps websites with their reports and decisions, without an owner. */
  keepReports: boolean;
  /** Replaces the username in records that are kept. */
  deletedUsername: string;
}

const pageSize = 100;

/**
 * Yields all rows of a list, page by page. Each page starts after the last id of the previous one, so that rows that
 * are added or deleted meanwhile cause no gaps or repeats.
 * @param listAfter returns up to `limit` rows after an id, or the first ones
 */
export async function* readPages<Id>(
  listAfter: (after: Id | undefined, limit: number) => Promise<readonly { id: Id }[]>,
): AsyncGenerator<unknown> {
  for (let after: Id | undefined; ; ) {
    const page = await listAfter(after, pageSize);
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.id;
  }
}
