import { afterAll, expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { identifySession } from '../sessions/sessions.ts';
import { openFailingDatabase } from './failing-database.fixtures.ts';
import { type Right, rights } from './rights-table.fixtures.ts';
import { addressOf, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { context, people } = scenario;
const failing = openFailingDatabase(context.databaseUrl);
const { db } = failing;
const app = buildApp({ ...context, ...failing, identify: (request) => identifySession(db, request, new Date()) });
await app.ready();
afterAll(async () => {
  await app.close();
  await failing.close();
});

/** Counted first, on purpose: a try that failed is a try. */
const counters = ['login_failures'];

async function kept(): Promise<Record<string, string>> {
  const contents = await scenario.contents();
  for (const table of counters) delete contents[table];
  return contents;
}

const cookieOf = ({ owner }: Right) => (owner === 403 ? people.admin.cookie : people.owner.cookie);

const succeeding = (right: Right) => [right.owner === 403 ? right.admin : right.owner].flat();

/** Taken in one transaction that writes these tables, and watched by further queries, whose failure takes nothing back. */
const uploads: Record<string, string[]> = {
  'POST /api/domains/upload': ['admin_acts', 'imports'],
  'POST /api/backlinks/analyze': ['analyses'],
};

const changing = Object.entries(rights)
  .filter(([name, right]) => !name.startsWith('GET ') && succeeding(right).some((status) => status < 300))
  .map(([name, right]) => {
    const [method, path = '/'] = name.split(' ');
    return { name, method: method as Method, path, right };
  });

test.each(changing)(
  '$name does all or nothing, whichever of its queries fails',
  async ({ name, method, path, right }) => {
    const asker = right.alone ? await scenario.signUp() : people.owner;
    const { body, payload, headers, ...place } = (await right.ask?.(scenario, asker)) ?? {};
    await scenario.waitForIdle();
    const before = await kept();
    for (let number = 1; ; number++) {
      failing.failAt(number);
      const { statusCode, body: answer } = await app.inject({
        method,
        url: addressOf(path, place),
        remoteAddress: scenario.newAddress(),
        headers: {
          host: 'localhost:3000',
          'sec-fetch-site': 'same-origin',
          cookie: right.alone ? asker.cookie : cookieOf(right),
          ...headers,
        },
        ...((body || payload) && { payload: body ?? payload }),
      });
      const failed = failing.count() >= number;
      failing.failAt(0);
      const told = `query ${number}: ${statusCode} ${answer}`;
      if (!failed) {
        expect(succeeding(right), told).toContain(statusCode);
        expect(number, told).toBeGreaterThan(1);
        return;
      }
      expect([500, 503], told).toContain(statusCode);
      const after = await kept();
      const written = uploads[name]?.filter((table) => after[table] !== before[table]) ?? [];
      if (written.length > 0) {
        expect(written, told).toEqual(uploads[name]);
        return;
      }
      expect(after, told).toEqual(before);
      expect((await app.inject({ url: '/readyz', headers: { host: 'localhost:3000' } })).statusCode).toBe(200);
    }
  },
);
