import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import type { Files } from './files/files.ts';
import type { Identify } from './http/identity.ts';

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
  identify: Identify;
  log: FastifyBaseLogger;
  now(): Date;
}
