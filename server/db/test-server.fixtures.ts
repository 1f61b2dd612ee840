import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openJobs } from '../worker.ts';
import { startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export const templateName = 'linksieve_template';

/**
 * Vitest's global setup: one real PostgreSQL for the run, with a migrated database, queues included, to copy for each test file. TEST_DATABASE_URL
 * names another server than the embedded one, whose user may create databases: for trying an older version.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'linksieve-test-'));
  const own = process.env.TEST_DATABASE_URL;
  const server = own ? { url: own, stop: async () => undefined } : await startEmbedded(folder, { durable: false });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`drop database if exists ${templateName}`);
  await client.query(`create database ${templateName}`);
  await client.end();
  await migrate(databaseUrl(server.url, templateName));
  const jobs = await openJobs(databaseUrl(server.url, templateName), (error) => {
    throw error;
  });
  await jobs.stop({ graceful: false });
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
