import { expect, test, vi } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { deliverEmail, mailQueue, type QueuedEmail } from '../../platform/mail/mail.ts';
import { startMailServer } from '../../platform/mail/mail-server.fixtures.ts';
import { startTestApp, type TestUser } from '../../test-app.fixtures.ts';
import { buildAlertCalls } from './alerts.fixtures.ts';
import { runDigestCommand } from './commands.ts';
import { latestPeriodEnd, sendDigests } from './digests.ts';

const mailServer = await startMailServer();
const settings = {
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
  PUBLIC_URL: 'https://linksieve.example',
};
const { context, signUp } = await startTestApp(settings);
const { db, pool, jobs } = context;
const { createWebsite, createAlerts, countUnmailed } = buildAlertCalls(context);

/** A Wednesday, after the hour of digests. */
const wednesday = new Date('2026-03-04T09:00:00Z');
const hoursBefore = (hours: number, date = wednesday) => new Date(date.getTime() - hours * 3_600_000);
const signal = new AbortController().signal;
const sendAt = (now: Date, other: Partial<typeof context> = {}) =>
  sendDigests({ ...context, ...other, now: () => now }, signal);

const listQueued = async ({ username }: TestUser) =>
  (await jobs.findJobs<QueuedEmail>(mailQueue.name))
    .map(({ data }) => data)
    .filter(({ to }) => to.address === `${username}@mail.example`);

/** Delivers the user's only digest through the mail server. */
async function receiveDigest(user: TestUser) {
  const [email, ...others] = await listQueued(user);
  if (!email) throw new Error('no digest');
  expect(others).toEqual([]);
  await deliverEmail(context, email, signal);
  const { headers, parts } = await mailServer.waitForEmail(email.to.address);
  if (!parts) throw new Error('The digest has no HTML version.');
  return { headers, ...parts };
}

test.each([
  ['daily', '2026-03-04T07:00:00Z', '2026-03-04T07:00:00Z'],
  ['daily', '2026-03-04T06:59:59Z', '2026-03-03T07:00:00Z'],
  ['daily', '2026-01-01T00:00:00Z', '2025-12-31T07:00:00Z'],
  ['weekly', '2026-03-04T09:00:00Z', '2026-03-02T07:00:00Z'],
  ['weekly', '2026-03-02T07:00:00Z', '2026-03-02T07:00:00Z'],
  ['weekly', '2026-03-02T06:00:00Z', '2026-02-23T07:00:00Z'],
  ['weekly', '2026-03-01T23:00:00Z', '2026-02-23T07:00:00Z'],
] as const)('the latest %s period at %s ended at %s', (interval, now, end) => {
  expect(latestPeriodEnd(interval, new Date(now))).toEqual(new Date(end));
});

test('a digest and alerts of a clock that was ahead do not stop the next digest', async () => {
  const user = await signUp();
  const { id } = await createWebsite(user.id, 'daily');
  const ahead = hoursBefore(-400 * 24);
  await createAlerts(id, { at: ahead });
  await db.insertInto('alert_settings').values({ user_id: user.id, daily_digest_end: ahead }).execute();
  expect(await sendAt(wednesday)).toBe(1);
  expect(await countUnmailed(id)).toBe(0);
});

test('a digest combines the websites of an account, in text and HTML with the same content', async () => {
  const user = await signUp();
  const [shop, blog] = [await createWebsite(user.id, 'daily'), await createWebsite(user.id, 'daily')];
  const at = hoursBefore(5);
  await createAlerts(
    shop.id,
    { domain: 'gone.test', event: 'delisted', from: 2, at },
    { domain: 'low.test', event: 'listed', to: 1, backlinks: 1, at },
    { domain: 'raised.test', event: 'raised', from: 1, to: 4, backlinks: 1200, at },
  );
  await createAlerts(blog.id, { domain: 'lowered.test', event: 'lowered', from: 4, to: 2, backlinks: 3, at });
  expect(await sendAt(wednesday)).toBe(1);
  const { headers, text, html } = await receiveDigest(user);
  expect(headers.get('subject')).toBe('4 changes on 2 websites');
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  const unsubscribeUrl = /<(.*)>/.exec(headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
  expect(unsubscribeUrl).toMatch(new RegExp(`^https://linksieve.example/unsubscribe/${user.id}-[\\w-]{43}$`));
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(text).toBe(`Hello ${user.username},

The blacklist changed for domains that link to your websites.

${shop.domain}: 1 domain listed, 1 raised, 1 delisted

- raised from Low to Very High risk, 1,200 links
  https://linksieve.example/domain/raised.test
- now on the blacklist: Low risk, 1 link
  https://linksieve.example/domain/low.test
- no longer on the blacklist, 1 link
  https://linksieve.example/domain/gone.test

${blog.domain}: 1 domain lowered

- lowered from Very High to Medium risk, 3 links
  https://linksieve.example/domain/lowered.test

See your alerts: https://linksieve.example/alerts

A listing is not proof that a particular link was paid for. Check the page before you act.

--${' '}
You get this email because daily digests are on for your websites.
Change settings: https://linksieve.example/account?tab=notifications
Unsubscribe: ${unsubscribeUrl}`);
  const links = [...html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, url, name]) => [name, url]);
  expect(links).toEqual([
    ['raised.test', 'https://linksieve.example/domain/raised.test'],
    ['low.test', 'https://linksieve.example/domain/low.test'],
    ['gone.test', 'https://linksieve.example/domain/gone.test'],
    ['lowered.test', 'https://linksieve.example/domain/lowered.test'],
    ['See your alerts', 'https://linksieve.example/alerts'],
    ['Change settings', 'https://linksieve.example/account?tab=notifications'],
    ['Unsubscribe', unsubscribeUrl],
  ]);
  const visible = html.replace(/<head>.*<\/head>/s, '').replace(/<[^>]*>/g, '');
  for (const words of [`${shop.domain}: 1 domain listed, 1 raised, 1 delisted`, 'Very High risk, 1,200 links'])
    expect([text, visible].map((version) => version.includes(words))).toEqual([true, true]);
});

test('names are data: HTML in them is escaped', async () => {
  const user = await signUp();
  const hostile = '<img src=x onerror=alert(1)>"&amp;';
  await db.updateTable('users').set({ display_name: hostile }).where('id', '=', user.id).execute();
  const { id } = await createWebsite(user.id, 'daily', { domain: hostile });
  await createAlerts(id, { domain: hostile, at: hoursBefore(3) });
  expect(await sendAt(wednesday)).toBe(1);
  const { html, text } = await receiveDigest(user);
  expect(html).not.toContain('<img');
  expect(html.split('&lt;img src=x onerror=alert(1)&gt;&quot;&amp;amp;')).toHaveLength(4);
  expect(text).toContain(`/domain/${encodeURIComponent(hostile)}`);
});

test('a digest has the ten worst alerts, counts the others and links to them', async () => {
  const user = await signUp();
  const { id, domain } = await createWebsite(user.id, 'daily');
  const other = await createWebsite(user.id, 'daily');
  const at = hoursBefore(4);
  await createAlerts(id, ...Array.from({ length: 30 }, (_, i) => ({ domain: `d${i}.test`, backlinks: i, at })));
  await createAlerts(id, { domain: 'worst.test', event: 'raised', from: 3, to: 4, at });
  await createAlerts(other.id, { event: 'delisted', from: 4, at }, { event: 'lowered', from: 4, to: 3, at });
  expect(await sendAt(wednesday)).toBe(1);
  const { text, html } = await receiveDigest(user);
  const shown = [...text.matchAll(/\/domain\/(\S+)/g)].map(([, name]) => name);
  expect(shown).toEqual(['worst.test', ...Array.from({ length: 9 }, (_, i) => `d${29 - i}.test`)]);
  expect(text).toContain(`${domain}: 30 domains listed, 1 raised\n`);
  expect(text).toContain(`${other.domain}: 1 domain lowered, 1 delisted\n`);
  expect(text).toContain('and 23 more: https://linksieve.example/alerts');
  expect(html).toContain('<a href="https://linksieve.example/alerts">and 23 more</a>');
  expect(await countUnmailed(id)).toBe(0);
});

test.each([
  [['listed'], '1 newly listed domain links to site-0.example'],
  [['listed', 'listed'], '2 newly listed domains link to site-1.example'],
  [['listed', 'raised'], '2 changes for site-2.example'],
  [['delisted'], '1 change for site-3.example'],
] as const)('the subject of a digest with the alerts %j on one website is: %s', async (events, subject) => {
  const user = await signUp();
  const { id } = await createWebsite(user.id, 'daily', { domain: subject.split(' ').at(-1) ?? '' });
  await createAlerts(id, ...events.map((event) => ({ event, from: 1, at: hoursBefore(4) })));
  expect(await sendAt(wednesday)).toBe(1);
  expect((await listQueued(user))[0]?.subject).toBe(subject);
});

test('a digest has the unread alerts of its interval that were created before the period ended, up to 14 days ago', async () => {
  const user = await signUp();
  const daily = await createWebsite(user.id, 'daily');
  const weekly = await createWebsite(user.id, 'weekly');
  const off = await createWebsite(user.id, 'off');
  const disabled = await createWebsite(user.id, 'daily', { enabled: false });
  for (const { id } of [daily, weekly, off, disabled]) {
    await createAlerts(
      id,
      { domain: 'too-new.test', at: hoursBefore(1) },
      { domain: 'today.test', at: hoursBefore(3) },
      { domain: 'last-week.test', at: hoursBefore(72) },
      { domain: 'read.test', at: hoursBefore(72), readAt: hoursBefore(1) },
      { domain: 'too-old.test', at: hoursBefore(15 * 24) },
    );
  }
  expect(await sendAt(wednesday)).toBe(2);
  const listDomains = async () =>
    (await listQueued(user)).map(({ text }) => [
      /You get this .* (daily|weekly)/.exec(text)?.[1],
      [...text.matchAll(/\/domain\/(\S+)/g)].map(([, name]) => name),
    ]);
  const sent = [
    ['daily', ['today.test', 'last-week.test']],
    ['weekly', ['last-week.test']],
  ];
  expect((await listDomains()).sort()).toEqual(sent);
  expect(await sendAt(wednesday)).toBe(0);
  expect(await sendAt(hoursBefore(-24))).toBe(1);
  expect((await listDomains()).sort()).toEqual([...sent.slice(0, 1), ['daily', ['too-new.test']], ...sent.slice(1)]);
});

test('an alert that is committed after the digest of its period waits for the next digest', async () => {
  const user = await signUp();
  const daily = await createWebsite(user.id, 'daily');
  const weekly = await createWebsite(user.id, 'weekly');
  const websites = [daily, weekly];
  for (const { id } of websites) await createAlerts(id, { at: hoursBefore(72) });
  expect(await sendAt(wednesday)).toBe(2);
  for (const { id } of websites) await createAlerts(id, { domain: 'late.test', at: hoursBefore(72) });
  expect(await sendAt(hoursBefore(-1))).toBe(0);
  expect(await sendAt(hoursBefore(-24))).toBe(1);
  expect([await countUnmailed(daily.id), await countUnmailed(weekly.id)]).toEqual([0, 1]);
  await sendAt(hoursBefore(-7 * 24));
  expect(await countUnmailed(weekly.id)).toBe(0);
  expect(await listQueued(user)).toHaveLength(4);
});

test('disabled and paused accounts, and those without a sendable address, get no digest, and their alerts wait', async () => {
  const users = [await signUp(), await signUp(), await signUp()];
  const websites = await Promise.all(users.map(({ id }) => createWebsite(id, 'daily')));
  for (const { id } of websites) await createAlerts(id, { at: hoursBefore(4) });
  const [disabled, paused, unsendable] = users.map(({ id }) => id);
  await db.updateTable('users').set({ disabled_at: wednesday }).where('id', '=', Number(disabled)).execute();
  await db
    .insertInto('alert_settings')
    .values({ user_id: Number(paused), mail_paused_at: wednesday })
    .execute();
  await db
    .updateTable('users')
    .set({ email: 'a@localhost.localdomain' })
    .where('id', '=', Number(unsendable))
    .execute();
  expect(await sendAt(wednesday)).toBe(0);
  for (const { id } of websites) expect(await countUnmailed(id)).toBe(1);
  await db.updateTable('users').set({ disabled_at: null }).execute();
  await db.deleteFrom('alert_settings').execute();
  await db.deleteFrom('users').where('id', '=', Number(unsendable)).execute();
  expect(await sendAt(wednesday)).toBe(2);
});

test('without a mail server, no digest is sent and the alerts wait', async () => {
  const { id } = await createWebsite((await signUp()).id, 'daily');
  await createAlerts(id, { at: hoursBefore(4) });
  expect(await sendAt(wednesday, { config: { ...context.config, mail: undefined } })).toBe(0);
  expect(await countUnmailed(id)).toBe(1);
  expect(await sendAt(wednesday)).toBe(1);
});

test('two processes that send the same digest at once send it once', async () => {
  const user = await signUp();
  const { id } = await createWebsite(user.id, 'daily');
  await createAlerts(id, { at: hoursBefore(4) });
  const both = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute();
    const sending = Promise.all([sendAt(wednesday), sendAt(wednesday)]);
    await expect.poll(() => listLockWaiters(pool, '%from users%')).toHaveLength(2);
    return { sending };
  });
  expect((await both.sending).sort()).toEqual([0, 1]);
  expect(await listQueued(user)).toHaveLength(1);
});

test('a process that dies before it commits loses no digest, and other accounts get theirs', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const websites = [await createWebsite(user.id, 'daily'), await createWebsite(other.id, 'daily')];
  for (const { id } of websites) await createAlerts(id, { at: hoursBefore(4) });
  vi.spyOn(jobs, 'insert').mockImplementationOnce(async () => {
    await pool.query(
      "select pg_terminate_backend(pid) from pg_locks where relation = 'alerts'::regclass and mode = 'RowExclusiveLock'",
    );
    return null;
  });
  await expect(sendAt(wednesday)).rejects.toThrow('1 email could not be queued.');
  vi.restoreAllMocks();
  expect([await countUnmailed(websites[0]?.id ?? 0), await countUnmailed(websites[1]?.id ?? 0)]).toEqual([1, 0]);
  expect(await sendAt(wednesday)).toBe(1);
  expect([(await listQueued(user)).length, (await listQueued(other)).length]).toEqual([1, 1]);
});

test('the command sends digests as if the period had ended, and prints their number', async () => {
  const lines: string[] = [];
  const run = (other: Partial<typeof context> = {}) =>
    runDigestCommand({ ...context, ...other, now: () => wednesday }, (line) => lines.push(line));
  await db.deleteFrom('alerts').execute();
  await run();
  const websites = [
    await createWebsite((await signUp()).id, 'daily'),
    await createWebsite((await signUp()).id, 'weekly'),
  ];
  for (const { id } of websites) await createAlerts(id, { at: hoursBefore(1) });
  expect(await sendAt(wednesday)).toBe(0);
  await run();
  await run();
  await run({ config: { ...context.config, mail: undefined } });
  process.exitCode = 0;
  expect(lines).toEqual([
    'No digest is due: no account with digests has a new unread alert.',
    '2 digests were queued. A running server or worker sends them.',
    'No digest is due: no account with digests has a new unread alert.',
    'Email is not configured. Set SMTP_URL and MAIL_FROM first.',
  ]);
  for (const { id } of websites) await createAlerts(id, { at: hoursBefore(0) });
  expect([await sendAt(hoursBefore(-24)), await sendAt(hoursBefore(-7 * 24))]).toEqual([1, 1]);
});
