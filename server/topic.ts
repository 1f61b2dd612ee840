import type { Registry } from 'prom-client';
import type { Context } from './context.ts';
import type { PersonalData } from './personal-data.ts';
import type { Tables } from './platform/db/tables.ts';
import type { PageRule } from './platform/http/page-rule.ts';
import type { KeyScope, Scope } from './platform/http/scope.ts';
import type { Job, RepeatedWork } from './platform/jobs/job.ts';
import type { Retention } from './platform/jobs/retention.ts';

/**
 * A topic describes itself in one object, in its `topic.ts`, and names only the members that it has. The app, the
 * worker, the commands, the metrics, and the download and deletion of an account read the list of all topics, so that
 * none of them can forget one.
 */
export interface Topic {
  /**
   * Which connections the routes and pages get as `context.db`. `list`: those for long reads of the blacklist, so that
   * a locked table blocks no other topic. `signIn`: those for what people need to sign in and stay signed in. Default:
   * `general`.
   */
  pool?: 'general' | 'list' | 'signIn';
  routes?: readonly Routes[];
  /** Routes for API keys outside `/api/v1`. */
  keyScope?(context: Context): KeyScope;
  /** What is decided about pages before they are rendered. */
  pages?(context: Context): readonly PageRule[];
  jobs?: readonly Job<never>[];
  repeated?: readonly RepeatedWork[];
  /** What follows `npm run admin --`, by its first word. */
  commands?: Readonly<Record<string, Command>>;
  metrics?(context: Context): Registry;
  /** Which rows expire, and when. */
  retention?: readonly Retention[];
  /** The tables of the topic. */
  tables?: { readonly [table in keyof Tables]?: TableFacts };
  personalData?: PersonalData;
  /** Lists the uploaded files that the topic still needs. */
  listFiles?(context: Context): Promise<string[]>;
}

/** Routes by the access that they need. `topics` is the list of all topics, for routes that concern whole accounts. */
export interface Routes {
  public?(scope: Scope<'public'>, context: Context, topics: readonly Topic[]): void;
  user?(scope: Scope<'user'>, context: Context, topics: readonly Topic[]): void;
  admin?(scope: Scope<'admin'>, context: Context, topics: readonly Topic[]): void;
  key?(scope: Scope<'key'>, context: Context, topics: readonly Topic[]): void;
}

/**
 * Runs a command and prints its result.
 * @param words what follows the command
 * @param options `isShared`: whether another process uses the embedded database
 */
export type Command = (context: Context, words: string[], options: { isShared: boolean }) => Promise<void>;

/** What becomes of the rows of a table. `topics.test.ts` compares it with the schema. */
export interface TableFacts {
  /** Why the rows do not expire. Missing if `retention` has the table. */
  kept?: string;
  /**
   * For a table with personal data: the field of the file with an account's data that has them, or why the file
   * leaves them out.
   */
  exported?: string | { not: string };
  /** Why rows with personal data remain after the account is deleted, if they do. */
  afterDeletion?: string;
}

// Reasons to keep rows.
export const owned = 'what a person made: counted, limited and kept until it is deleted';
export const ofOwner = 'a few rows of an account, deleted with it';
export const withParent = 'deleted with the row that it belongs to';
export const ofBlacklist = 'the blacklist itself, which admins and lists change';

/** The facts of tables without personal data, whose rows are kept for the same reason. */
export const keptTables = <Name extends keyof Tables>(
  kept: string,
  ...names: readonly Name[]
): { readonly [name in Name]: TableFacts } =>
  Object.fromEntries(names.map((name) => [name, { kept }])) as { [name in Name]: TableFacts };
