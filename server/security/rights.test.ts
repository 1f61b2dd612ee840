import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webFolder } from '../app.ts';
import type { CallOptions } from '../test-app.fixtures.ts';
import { type Right, type Role, rights, roles, statusesOf } from './rights-table.fixtures.ts';
import { type Ask, addressOf, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { app, call, people } = scenario;

const registered = app.allRoutes.flatMap(({ method, url }) => [method].flat().map((one) => `${one} ${url}`));
const isFile = (route: string) => {
  const [method, path = '/'] = route.split(' ');
  return (method === 'GET' || method === 'HEAD') && path !== '/' && existsSync(join(webFolder, path));
};

test('the table names every route, and none that is not there', () => {
  const named = Object.keys(rights).flatMap((route) =>
    route.startsWith('GET ') ? [route, route.replace('GET', 'HEAD')] : [route],
  );
  // Browsers ask for other sites' pages whether they may: for the public API alone.
  const preflights = ['OPTIONS /api/v1/*'];
  expect(registered.filter((route) => !isFile(route)).sort()).toEqual([...named, ...preflights].sort());
});

test('the files of the web app are for anybody; none is a page, hidden, or a map of the sources', async () => {
  const files = registered.filter(isFile).map((route) => route.slice(route.indexOf(' ') + 1));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path) => /\.(html|map|tsx?)$|\/\./.test(path))).toEqual([]);
  expect((await call('GET', files[0] ?? '')).statusCode).toBe(200);
});

const rows = Object.entries(rights).map(([name, right]) => {
  const [method, path = '/'] = name.split(' ');
  return { name, method: method as Method, path, right };
});

test.each(rows)('$name answers each as the table says, whoever they say they are', async ({ method, path, right }) => {
  await scenario.waitForIdle();
  const asked = (await right.ask?.(scenario, people.owner)) ?? {};
  const before = await scenario.contents();
  for (const role of roles.filter((one) => isRefused(right, one))) {
    for (const ask of [asked, boasting(asked)]) await expectAnswer(method, path, right, role, ask);
    await expectAnswer(method, path, right, role, claiming(asked), [403]);
  }
  if (right.visitor === 401 && !isRefused(right, 'other') && !right.alone && !right.withKey) {
    await expectAnswer(method, path, { ...right, other: 403 }, 'other', claiming(asked));
  }
  expect(await scenario.contents()).toEqual(before);
  // Last the owner of the object that was refused to the others: it is still there, and as it was.
  for (const role of roles.filter((one) => !isRefused(right, one))) {
    const first = role === 'owner' || isRefused(right, 'owner');
    const ask = first && !right.alone ? asked : undefined;
    await expectAnswer(method, path, right, role, ask);
  }
});

test.each(rows.filter(({ method }) => method === 'GET'))(
  'HEAD $path is answered as GET is',
  async ({ path, right }) => {
    const ask = (await right.ask?.(scenario, people.owner)) ?? {};
    for (const role of roles) {
      const { statusCode, body } = await call('HEAD', addressOf(path, ask), credentialsOf(right, role));
      expect([role, statusesOf(right, role)]).toEqual([role, expect.arrayContaining([statusCode])]);
      expect(body).toBe('');
    }
  },
);

const isRefused = (right: Right, role: Role) => statusesOf(right, role).every((status) => status >= 400);

/** The person's session; where a key is asked for, their key and an admin's session, which is to count for nothing. */
function credentialsOf({ withKey }: Right, role: Role): CallOptions {
  const { owner, other, admin } = people;
  const person = role === 'visitor' ? undefined : { owner, other, admin }[role];
  if (withKey) return { as: admin.cookie, ...(person && { headers: { 'x-api-key': person.key } }) };
  return person ? { as: person.cookie } : {};
}

/** Without `ask` the call is made with an object of its own, boasting. */
async function expectAnswer(
  method: Method,
  path: string,
  right: Right,
  role: Role,
  ask?: Ask,
  also: number[] = [],
): Promise<void> {
  const asker = right.alone && !ask ? await scenario.signUp({ admin: role === 'admin' }) : people.owner;
  const { body, payload, headers: asked, ...place } = ask ?? boasting((await right.ask?.(scenario, asker)) ?? {});
  const { as, headers } = right.alone && !ask && role !== 'visitor' ? { as: asker.cookie } : credentialsOf(right, role);
  const response = await call(method, addressOf(path, place), {
    ...(as && { as }),
    ...(body && { body }),
    ...(payload && { payload }),
    headers: {
      'x-firebase-uid': 'uid-of-the-admin',
      'x-user-id': String(people.admin.id),
      ...(right.withKey ? headers : asked),
    },
  });
  const told = `${role}: ${response.statusCode} ${response.body.slice(0, 300)}`;
  expect([...statusesOf(right, role), ...also], told).toContain(response.statusCode);
  const mayRead = role === 'owner' || (role === 'admin' && statusesOf(right, 'other').includes(403));
  if (!mayRead) expect(response.body, told).not.toContain(people.owner.username);
}

/** With everything that older clients, or hostile ones, say of themselves. */
function boasting(ask: Ask): Ask {
  const flags = { isAdmin: true, is_admin: true, role: 'admin', firebaseUid: 'uid-of-the-admin', userIsAdmin: true };
  const words = Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, String(value)]));
  return { ...ask, query: { ...ask.query, ...words }, ...(ask.body && { body: { ...ask.body, ...flags } }) };
}

/** In the name of the owner. */
function claiming(ask: Ask): Ask {
  const userId = people.owner.id;
  return {
    ...ask,
    query: { ...ask.query, userId: String(userId) },
    ...(ask.body && { body: { ...ask.body, userId } }),
  };
}
