import { addDomains, connectToDatabase } from './server-database.ts';
import type { Trial } from './trial.ts';
import { post, signIn, withServer } from './with-server.ts';

const lists = 60;
const rounds = 5;
const allowedMs = 2000;
const maxListMs = 20_000;

/** A slow part of the database must not take down the rest of the site. */
export const lockedTableTrial: Trial = {
  name: 'locked-table',
  fault: `The table of domains is locked while ${lists} lists and checks wait for it`,
  promise: `Health checks, sign-in and other pages respond within ${allowedMs / 1000} s, and lists get 503 with Retry-After`,
  run: () =>
    withServer(async (server) => {
      const cookie = await signIn(server);
      const database = await connectToDatabase(server);
      await addDomains(database, 1000);
      await database.query('begin');
      await database.query('lock table domains');
      const waiting = Promise.all(
        Array.from({ length: lists }, async (_, i) => {
          const start = performance.now();
          const path = i % 2 === 0 ? '/api/domains?search=shop' : '/domain/shop.example';
          const response = await fetch(`${server.address}${path}`, { headers: { cookie } });
          return { path, response, text: await response.text(), ms: performance.now() - start };
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      const times = new Map<string, number>();
      const time = async (name: string, send: () => Promise<Response>) => {
        const start = performance.now();
        const { status } = await send();
        if (status !== 200) throw new Error(`${name} returned ${status}.`);
        times.set(name, Math.max(times.get(name) ?? 0, performance.now() - start));
      };
      for (let i = 0; i < rounds; i += 1) {
        await time('/readyz', () => fetch(`${server.address}/readyz`));
        await time('sign-in', () => post(server, '/api/auth/login', credentials));
        await time('websites', () => fetch(`${server.address}/api/profiles`, { headers: { cookie } }));
      }
      const results = await waiting;
      await database.query('rollback');
      await database.end();
      for (const { path, response, text, ms } of results) {
        if (path.startsWith('/api/') && ![429, 503].includes(response.status))
          throw new Error(`A list returned ${response.status}.`);
        if (response.status === 503 && !response.headers.has('retry-after'))
          throw new Error(`${path} returned 503 without Retry-After.`);
        if (/narrow/.test(text)) throw new Error(`A list says ${text}`);
        if (ms > maxListMs) throw new Error(`${path} took ${Math.round(ms)} ms.`);
      }
      const figures = [...times].map(([name, ms]) => [name, Math.round(ms)] as const);
      const late = figures.find(([, ms]) => ms > allowedMs);
      if (late) throw new Error(`${late[0]} took ${late[1]} ms.`);
      const slowest = Math.max(...results.map(({ ms }) => ms));
      return `slowest: ${figures.map(([name, ms]) => `${name} ${ms} ms`).join(', ')}; list ${(slowest / 1000).toFixed(1)} s`;
    }),
};

const credentials = { username: 'admin', password: 'a long enough secret' };
