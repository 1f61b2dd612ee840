import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
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
  const server = url
    ? { url, superuserUrl: url, stop: async () => undefined }
    : await startTestServer(join(folder, 'postgres'));
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
  const stopReporting = await reportStuckTransactions(server.superuserUrl);
  return async () => {
    await stopReporting();
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

/**
 * Prints the transactions that last longer than a minute, and what they wait for. No test needs as long, so that a run
 * that hangs shows why.
 */
async function reportStuckTransactions(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, application_name: 'linksieve-test-reports' });
  const print = (title: string, facts: unknown) => process.stderr.write(`${title}: ${inspect(facts)}\n`);
  client.on('error', (error) => print('The test database has ended the connection for reports', error));
  await client.connect();
  const report = async () => {
    const { rows } = await client.query(`
      select pid, datname, application_name, state, wait_event_type, wait_event, now() - xact_start as age,
        pg_blocking_pids(pid) as blocked_by, left(query, 200) as query
      from pg_stat_activity where xact_start < now() - interval '1 minute' order by xact_start`);
    if (rows.length === 0) return;
    print('Transactions that last longer than a minute', rows);
    const standbys = await client.query('select state, sent_lsn, flush_lsn, replay_lsn from pg_stat_replication');
    print('Standbys, for which a commit can wait', standbys.rows);
  };
  const timer = setInterval(() => {
    report().catch((error: unknown) => print('The test database does not report its transactions', error));
  }, 30_000);
  return async () => {
    clearInterval(timer);
    await client.end();
  };
}

/** Returns the connection string of another database on the server. */
export function buildDatabaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
