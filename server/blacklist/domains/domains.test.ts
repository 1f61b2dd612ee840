import { expect, test, vi } from 'vitest';
import type { Context } from '../../context.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { cachedBlacklistSize } from './domains.ts';

const { call, signUp, context } = await startTestApp();
const { cookie } = await signUp({ admin: true });
const add = async (domain: string) => {
  const { statusCode } = await call('POST', '/api/domains', { as: cookie, body: { domain, source: 'fiverr' } });
  expect(statusCode).toBe(201);
};

test('the cached size is at most a minute old, and the size of an empty blacklist is not cached', async () => {
  let time = 0;
  const size = cachedBlacklistSize({ ...context, now: () => new Date(time) });
  expect(await size()).toEqual({ total: 0, lastUpdated: null });
  await add('one.example');
  expect(await size()).toEqual({ total: 1, lastUpdated: expect.stringMatching(/^20\d\d-/) });
  await add('two.example');
  time += 59_999;
  expect((await size())?.total).toBe(1);
  time += 1;
  expect((await size())?.total).toBe(2);
});

test('the blacklist is updated when a domain changes, and when a list is downloaded', async () => {
  const readDate = async () => (await call('GET', '/api/stats/count')).json().lastUpdated;
  const changedAt = await readDate();
  const later = '2099-01-02T03:04:05.000Z';
  const feed = { name: 'A list', url: 'https://lists.example/', interval_hours: 24, next_run_at: new Date(later) };
  const insert = (kind: 'block' | 'allow', at: string, deletedAt: string | null = null) =>
    context.db
      .insertInto('feeds')
      .values({
        ...feed,
        kind,
        last_success_at: new Date(at),
        deleted_at: deletedAt === null ? null : new Date(deletedAt),
      })
      .execute();
  await insert('block', '2020-01-01T00:00:00Z');
  await insert('allow', later);
  await insert('block', later, later);
  expect(await readDate()).toBe(changedAt);
  await insert('block', later);
  expect(await readDate()).toBe(later);
});

test('the last known size is returned while the database fails', async () => {
  let time = 0;
  const warn = vi.fn();
  let fails = true;
  const failing = new Proxy(context.db, {
    get(db, name) {
      if (fails) throw new Error('the database is down');
      const value = Reflect.get(db, name, db);
      return typeof value === 'function' ? value.bind(db) : value;
    },
  });
  const log = { warn } as unknown as Context['log'];
  const size = cachedBlacklistSize({ ...context, db: failing, log, now: () => new Date(time) });
  expect(await size()).toBeNull();
  fails = false;
  expect((await size())?.total).toBe(2);
  fails = true;
  time += 120_000;
  expect((await size())?.total).toBe(2);
  expect(warn).toHaveBeenCalledTimes(2);
});
