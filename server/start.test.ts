import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { startContext } from './start.ts';
import { describeStartFailure } from './start-error.ts';
import { startTestApp } from './test-app.fixtures.ts';

const { context } = await startTestApp();

/** Starts the server on the database of the test, expects it to fail, and returns the message. */
async function startAndFail(settings: Record<string, string> = {}) {
  const given = { DATA_DIR: context.config.dataDir, DATABASE_URL: context.databaseUrl };
  const config = readConfig({}, { ...given, ...settings });
  const started = await startContext(config, pino({ level: 'silent' })).catch(describeStartFailure);
  if (typeof started === 'string') return started;
  await started.stop();
  throw new Error('It started.');
}

test('a bucket that cannot be used is reported with the setting to check', async () => {
  const settings = { FILES: 's3', S3_BUCKET: 'uploads', S3_REGION: 'us-east-1', S3_ENDPOINT: 'http://127.0.0.1:9' };
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
  expect(await startAndFail({ ...settings, ...keys })).toMatch(
    /at http:\/\/127\.0\.0\.1:9 in S3_ENDPOINT: connect ECONNREFUSED[^\n]*$/,
  );
});

test('a changed migration is reported', async () => {
  await context.pool.query("update migrations set sha256 = 'other'");
  expect(await startAndFail()).toMatch(/^The database could not be migrated\. The migration 0001[^\n]*$/);
});
