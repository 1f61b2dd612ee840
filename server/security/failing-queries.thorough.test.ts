import { afterAll, expect, test } from 'vitest';
import { identifySession } from '../accounts/sessions/sessions.ts';
import { buildApp } from '../app.ts';
import { startFailingDatabase } from './failing-database.fixtures.ts';
import { type RouteRights, rights } from './rights-table.fixtures.ts';
import { buildUrl, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { context, users } = scenario;
const failing = startFailingDatabase(context.databaseUrl);
const { db } = failing;
const app = buildApp({ ...context, ...failing, identify: (request) => identifySession(db, request, new Date()) });
await app.ready();
afterAll(async () => {
  await app.close();
  await failing.close();
});

const getCookie = ({ owner }: RouteRights) => (owner === 403 ? users.admin.cookie : users.owner.cookie);

const succeeding = (right: RouteRights) => [right.owner === 403 ? right.admin : right.owner].flat();

/**
 * Tables that a call which starts a run or a delivery writes in one transaction. The failure of a later query undoes
 * nothing.
 */
const startedRuns: Record<string, string[]> = {
  'POST /api/domains/upload': ['audit_events', 'imports'],
  'POST /api/domains/upload/check': ['audit_events', 'imports'],
  'POST /api/backlinks/analyze': ['analyses'],
  'POST /api/backlinks/analyses/:id/answer': ['analyses'],
  // A delivery whose result could not be stored is sent again later.
  'POST /api/webhooks/:id/test': ['webhook_deliveries'],
  'POST /api/webhooks/:id/deliveries/:deliveryId/replay': ['webhook_deliveries'],
};

const changing = Object.entries(rights)
  .filter(([name, right]) => !name.startsWith('GET ') && succeeding(right).some((status) => status < 300))
  .map(([name, right]) => {
    const [method, path = '/'] = name.split(' ');
    return { name, method: method as Method, path, right };
  });

test.each(changing)(
  '$name changes all or nothing, whichever of its queries fails',
  async ({ name, method, path, right }) => {
    const user = right.needsNewUser ? await scenario.signUp() : users.owner;
    const { body, payload, headers, ...urlParts } = (await right.buildRequest?.(scenario, user)) ?? {};
    await scenario.waitForIdle();
    const before = await scenario.workHashes();
    for (let number = 1; ; number++) {
      await failing.waitForIdle();
      failing.failAt(number);
      const { statusCode, body: responseBody } = await app.inject({
        method,
        url: buildUrl(path, urlParts),
        remoteAddress: scenario.newAddress(),
        headers: {
          host: 'localhost:3000',
          'sec-fetch-site': 'same-origin',
          cookie: right.needsNewUser ? user.cookie : getCookie(right),
          ...headers,
        },
        ...((body || payload) && { payload: body ?? payload }),
      });
      const failed = failing.count() >= number;
      failing.failAt(0);
      const detail = `query ${number}: ${statusCode} ${responseBody}`;
      if (!failed) {
        expect(succeeding(right), detail).toContain(statusCode);
        expect(number, detail).toBeGreaterThan(1);
        return;
      }
      // Otherwise, the upload stops counting by itself.
      if (failing.failedText().startsWith('delete from "uploads"')) return;
      expect([500, 503], detail).toContain(statusCode);
      const after = await scenario.workHashes();
      const written = startedRuns[name]?.filter((table) => after[table] !== before[table]) ?? [];
      if (written.length > 0) {
        expect(written, detail).toEqual(startedRuns[name]);
        return;
      }
      expect(after, detail).toEqual(before);
      expect((await app.inject({ url: '/readyz', headers: { host: 'localhost:3000' } })).statusCode).toBe(200);
    }
  },
);
