import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiKeyScopes } from '#shared/accounts/api-key-scopes.ts';
import { webFolder } from '../app.ts';
import type { CallOptions } from '../test-app.fixtures.ts';
import { getStatuses, type Role, type RouteRights, rights, roles } from './rights-table.fixtures.ts';
import { buildUrl, createScenario, type Method, type TestRequest } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { app, call, create, users } = scenario;

const tokens = await Promise.all(
  [users.owner, users.admin].flatMap((user) =>
    apiKeyScopes.map(async (scope) => ({ user, scope, token: await create.accessToken(user, scope) })),
  ),
);

const registered = app.allRoutes.flatMap(({ method, url }) => [method].flat().map((one) => `${one} ${url}`));
const isFile = (route: string) => {
  const [method, path = '/'] = route.split(' ');
  return (
    (method === 'GET' || method === 'HEAD') &&
    statSync(join(webFolder, path), { throwIfNoEntry: false })?.isFile() === true
  );
};

test('the rights table lists exactly the routes of the server', () => {
  const listed = Object.keys(rights).flatMap((route) =>
    route.startsWith('GET ') ? [route, route.replace('GET', 'HEAD')] : [route],
  );
  // Other sites' pages may call only routes for API keys, so they alone accept CORS preflight requests.
  const preflights = ['OPTIONS /api/v1/*', 'OPTIONS /mcp*'];
  expect(registered.filter((route) => !isFile(route)).sort()).toEqual([...listed, ...preflights].sort());
});

test('the public files of the web app include no page, hidden file, source or source map', async () => {
  const files = registered.filter(isFile).map((route) => route.slice(route.indexOf(' ') + 1));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path) => /\.(html|map|tsx?)$|\/\./.test(path))).toEqual([]);
  expect((await call('GET', files[0] ?? '')).statusCode).toBe(200);
});

const rows = Object.entries(rights).map(([name, right]) => {
  const [method, path = '/'] = name.split(' ');
  return { name, method: method as Method, path, right };
});

test.each(rows)(
  '$name gives each role the status in the table, whatever identity the request claims',
  async ({ method, path, right }) => {
    await scenario.waitForIdle();
    const request = (await right.buildRequest?.(scenario, users.owner)) ?? {};
    const before = await scenario.workHashes();
    for (const role of roles.filter((one) => isRefused(right, one))) {
      for (const refused of [request, withAdminClaims(request)])
        await expectStatus({ method, path, right }, role, refused);
      await expectStatus({ method, path, right }, role, withOwnerId(request), [403]);
    }
    if (right.visitor === 401 && !isRefused(right, 'other') && !right.needsNewUser && !right.withKey) {
      await expectStatus({ method, path, right: { ...right, other: 403 } }, 'other', withOwnerId(request));
    }
    expect(await scenario.workHashes()).toEqual(before);
    // The owner comes last: the object that the others could not change still exists, unchanged.
    for (const role of roles.filter((one) => !isRefused(right, one))) {
      const first = role === 'owner' || isRefused(right, 'owner');
      await expectStatus({ method, path, right }, role, first && !right.needsNewUser ? request : undefined);
    }
  },
);

test.each(rows)(
  '$name gives a key or an access token of any scope what a visitor gets, unless the route is for them',
  async ({ method, path, right }) => {
    const isForTokens = path === '/mcp';
    const isReusable = isRefused(right, 'visitor') || isForTokens;
    const build = async () => (await right.buildRequest?.(scenario, users.owner)) ?? {};
    const first = await build();
    if (isReusable) await scenario.waitForIdle();
    const before = isReusable && (await scenario.workHashes());
    for (const { user, scope, token } of tokens) {
      const { body, payload, headers, ...urlParts } = isReusable ? first : await build();
      const response = await call(method, buildUrl(path, urlParts), {
        ...(body && { body }),
        ...(payload && { payload }),
        headers: {
          ...withoutKey(headers),
          authorization: `Bearer ${token}`,
          ...(!right.withKey && { 'x-api-key': user.key }),
        },
      });
      const detail = `${scope} of ${user.username}: ${response.statusCode} ${response.body.slice(0, 300)}`;
      // Google sign-in reads the same header. It is not set up.
      const expected = path.startsWith('/api/users')
        ? [401, 404]
        : getStatuses(right, isForTokens ? 'owner' : 'visitor');
      expect(expected, detail).toContain(response.statusCode);
      expect(response.body, detail).not.toContain(users.owner.username);
    }
    if (before) expect(await scenario.workHashes()).toEqual(before);
  },
);

test.each(rows.filter(({ method }) => method === 'GET'))(
  'HEAD $path returns the same status as GET',
  async ({ path, right }) => {
    const request = (await right.buildRequest?.(scenario, users.owner)) ?? {};
    for (const role of ['visitor', 'owner'] as const) {
      const { statusCode, body } = await call('HEAD', buildUrl(path, request), getCredentials(right, role));
      // The start and the end of a sign-in change something, so their HEAD does nothing.
      const expected = path.startsWith('/api/auth/oidc/') ? [204] : getStatuses(right, role);
      expect([role, expected]).toEqual([role, expect.arrayContaining([statusCode])]);
      expect(body).toBe('');
    }
  },
);

const isRefused = (right: RouteRights, role: Role) => getStatuses(right, role).every((status) => status >= 400);

/** The user's session. On the key API: the user's key and, to prove that sessions do not count, an admin's session. */
function getCredentials({ withKey }: RouteRights, role: Role): CallOptions {
  const { owner, other, admin } = users;
  const user = role === 'visitor' ? undefined : { owner, other, admin }[role];
  if (withKey) return { as: admin.cookie, ...(user && { headers: { 'x-api-key': user.key } }) };
  return user ? { as: user.cookie } : {};
}

/** Without `request`, builds a new one and adds admin claims to it. `also` lists further accepted statuses. */
async function expectStatus(
  { method, path, right }: { method: Method; path: string; right: RouteRights },
  role: Role,
  request?: TestRequest,
  also: number[] = [],
): Promise<void> {
  const user = right.needsNewUser && !request ? await scenario.signUp({ admin: role === 'admin' }) : users.owner;
  const sent = request ?? withAdminClaims((await right.buildRequest?.(scenario, user)) ?? {});
  const { body, payload, headers: sentHeaders, ...urlParts } = sent;
  const isNewUser = right.needsNewUser && !request && role !== 'visitor';
  const { as, headers } = isNewUser ? { as: user.cookie } : getCredentials(right, role);
  const response = await call(method, buildUrl(path, urlParts), {
    ...(as && { as }),
    ...(body && { body }),
    ...(payload && { payload }),
    headers: {
      'x-firebase-uid': 'uid-of-the-admin',
      'x-user-id': String(users.admin.id),
      ...(right.withKey ? { ...withoutKey(sentHeaders), ...headers } : sentHeaders),
    },
  });
  const detail = `${role}: ${response.statusCode} ${response.body.slice(0, 300)}`;
  expect([...getStatuses(right, role), ...also], detail).toContain(response.statusCode);
  const mayRead =
    role === 'owner' || (role === 'admin' && (getStatuses(right, 'other').includes(403) || path.startsWith('/admin')));
  // The pages of the others contain names of websites that they have created with the owner's request.
  const isPage = String(response.headers['content-type']).startsWith('text/html');
  if (!mayRead) expect(response.body, detail).not.toContain(isPage ? `${users.owner.username}@` : users.owner.username);
}

const withoutKey = ({ 'x-api-key': _, ...headers }: Record<string, string> = {}) => headers;

/** Adds the fields with which older or hostile clients claim to be an admin. */
function withAdminClaims(request: TestRequest): TestRequest {
  const flags = { isAdmin: true, is_admin: true, role: 'admin', firebaseUid: 'uid-of-the-admin', userIsAdmin: true };
  const words = Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, String(value)]));
  return {
    ...request,
    query: { ...request.query, ...words },
    ...(request.body && { body: { ...request.body, ...flags } }),
  };
}

/** Adds the owner's id as `userId`. */
function withOwnerId(request: TestRequest): TestRequest {
  const userId = users.owner.id;
  return {
    ...request,
    query: { ...request.query, userId: String(userId) },
    ...(request.body && { body: { ...request.body, userId } }),
  };
}
