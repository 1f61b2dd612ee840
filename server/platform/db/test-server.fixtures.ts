import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openQueues } from '../../worker.ts';
import { applicationRole } from './application-role.ts';
import { startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export const templateName = 'linksieve_template';

/** Whether reads use a standby, whose tables nobody can lock. */
export const readsFromStandby = process.env.TEST_DATABASE_READ_URL !== undefined;

/**
 * Vitest's global setup: starts one PostgreSQL for the whole run, with a template database that contains the schema and
 * the job queues. Each test file copies it. To test another PostgreSQL version, set TEST_DATABASE_URL to the connection
 * string of a server on which the user may create databases.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'linksieve-test-'));
  const url = process.env.TEST_DATABASE_URL;
  const server = url ? { url, stop: async () => undefined } : await startTestServer(join(folder, 'postgres'));
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`drop database if exists ${templateName}`);
  await client.query(`create database ${templateName}`);
  await client.end();
  await migrate(buildDatabaseUrl(server.url, templateName));
  const jobs = await openQueues(buildDatabaseUrl(server.url, templateName), (error) => {
    throw error;
  });
  await jobs.stop({ graceful: false });
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * The tests use the role of the application. Only here it may create databases, and drop one that is being vacuumed.
 */
async function startTestServer(folder: string) {
  const server = await startEmbedded(folder, { durable: false });
  const client = new pg.Client({ connectionString: server.superuserUrl });
  await client.connect();
  await client.query(`alter role ${applicationRole} createdb; grant pg_signal_backend to ${applicationRole}`);
  await client.end();
  return server;
}

/** Returns the connection string of another database on the server. */
export function buildDatabaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
