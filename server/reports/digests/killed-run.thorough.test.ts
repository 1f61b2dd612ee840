import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { deliverEmail, mailQueue, type QueuedEmail } from '../../platform/mail/mail.ts';
import { startMailServer } from '../../platform/mail/mail-server.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildWatchCalls } from '../watch/watch.fixtures.ts';
import { sendDigests } from './digests.ts';

// The test starts about fifteen processes.
vi.setConfig({ testTimeout: 300_000 });

const mailServer = await startMailServer();
const settings = {
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'noreply@linksieve.example',
  PUBLIC_URL: 'https://links.example',
};
const testApp = await startTestApp(settings);
const { context } = testApp;
const { createWebsite, setLevel, match, listAlerts, updateWatch } = buildWatchCalls(testApp);
const signal = new AbortController().signal;

/**
 * Matches changes and sends digests in a process that is killed before its query number `moment`.
 * @returns whether it was killed
 */
async function runUntil(moment: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'killed-run.fixtures.ts'), context.databaseUrl, String(moment)],
    { stdio: 'inherit', env: { ...process.env, NODE_ENV: '', DATA_DIR: context.config.dataDir, ...settings } },
  );
  const [code, killedBy] = await once(child, 'exit');
  if (killedBy !== 'SIGKILL' && code !== 0) throw new Error(`The process ended with ${code}.`);
  return killedBy === 'SIGKILL';
}

/** Delivers the queued emails through the mail server, as the worker does. */
async function deliverMail(): Promise<void> {
  for (;;) {
    const [job] = await context.jobs.fetch<QueuedEmail>(mailQueue.name);
    if (!job) return;
    await deliverEmail(context, job.data, signal);
    await context.jobs.complete(mailQueue.name, job.id);
  }
}

test('a kill at any moment of a comparison and its digests neither loses nor doubles an alert or an email', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `killed-${String(i).padStart(2, '0')}.com`);
  const website = await createWebsite(names.map((name) => `https://${name}/`));
  await updateWatch(website, { digest: 'daily' });
  const changed: string[] = [];
  let kills = 0;
  for (const [i, domain] of names.entries()) {
    await setLevel(domain, 'high');
    changed.unshift(domain);
    const wasKilled = await runUntil(1 + 2 * i);
    await match();
    expect(await listAlerts(website)).toEqual(changed.map((name) => `listed ${name}: none to high`));
    await sendDigests(context, signal, { early: true });
    await deliverMail();
    if (!wasKilled) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThanOrEqual(10);
  expect(kills).toBeLessThan(names.length);
  const texts = mailServer.received.map(({ parts }) => parts?.text ?? '');
  for (const name of changed) expect(texts.filter((text) => text.includes(name))).toHaveLength(1);
  expect(texts).toHaveLength(changed.length);
});
