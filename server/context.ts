import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type Stripe from 'stripe';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import type { Files } from './files/files.ts';
import type { Identify } from './http/scope.ts';

/** What the product's functions need from the process: built once, passed by hand. */
export interface Context {
  config: Config;
  db: Db;
  /** The pool under `db`, for COPY streams. */
  pool: pg.Pool;
  /** Connection string of the database, for threads that open their own connection. */
  databaseUrl: string;
  jobs: PgBoss;
  files: Files;
  /** 32 bytes that encrypt what must be shown again. */
  secretKey: Buffer;
  /** The payment service; undefined where checkouts are simulated. */
  stripe: Stripe | undefined;
  identify: Identify;
  log: FastifyBaseLogger;
  /** Milliseconds for which an upload waits for its result before it is answered 202. */
  respondWithinMs: number;
  now(): Date;
}
