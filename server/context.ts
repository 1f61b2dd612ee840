import type { FastifyBaseLogger } from 'fastify';
import type { PgBoss } from 'pg-boss';
import type Stripe from 'stripe';
import type { Config } from './config.ts';
import type { Pools } from './platform/db/database.ts';
import type { FairQueue } from './platform/db/fair-queue.ts';
import type { SecretKey } from './platform/db/secret-key.ts';
import type { Files } from './platform/files/files.ts';
import type { Identify } from './platform/http/scope.ts';
import type { Outbound } from './platform/net/outbound.ts';
import type { ProcessPool } from './platform/processes/process-pool.ts';
import type { Entry, RunFunction } from './platform/processes/run-in-process.ts';

/** The dependencies of the product's functions. Built once per process and passed as an argument. */
export interface Context extends Pools {
  config: Config;
  /** Connection string of the database, for processes that open their own connections. */
  databaseUrl: string;
  /** A sentence while the embedded database is down and could not be restarted for a minute. */
  databaseFailure(): string | undefined;
  jobs: PgBoss;
  files: Files;
  /** Encrypts secrets in the database, and signs links and cookies. */
  secretKey: SecretKey;
  /** The Stripe client; undefined if checkouts are simulated. */
  stripe: Stripe | undefined;
  identify: Identify;
  /** Lists, searches, counts and exports of the blacklist take turns here, by account or client network. */
  reads: FairQueue;
  /** Runs what would block this process, such as reading uploaded files. */
  processes: ProcessPool;
  /** What each process runs before its work. */
  beforeWork: Entry;
  /** Runs the work of a job in a process of its own, or in this one for a command that serves no requests. */
  runWork: RunFunction;
  outbound: Outbound;
  log: FastifyBaseLogger;
  /** Aborts when background work must stop. Undefined in a process that does no background work. */
  background: AbortSignal | undefined;
  /** Milliseconds for which an upload request waits for the result before it responds with 202. */
  respondWithinMs: number;
  /** Milliseconds for which a public page waits for a value of the database. Then it is served with the last one. */
  pageWaitMs: number;
  now(): Date;
}
