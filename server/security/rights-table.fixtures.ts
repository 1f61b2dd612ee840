import { randomBytes, randomUUID } from 'node:crypto';
import { pagePaths } from '#shared/pages.ts';
import { createResetLink } from '../accounts/set-password.ts';
import type { Ask, Person, Scenario } from './scenario.fixtures.ts';

export const roles = ['visitor', 'owner', 'other', 'admin'] as const;
export type Role = (typeof roles)[number];

type Statuses = number | readonly number[];

/** Who gets which status. `owner` asks for an object of their own, `other` and `admin` for that of the owner. */
export interface Right extends Record<Role, Statuses> {
  /** What the call is made with; made anew for each that succeeds. `asker` is the owner, or whoever comes new. */
  ask?(scenario: Scenario, asker: Person): Ask | Promise<Ask>;
  /** It ends sessions or accounts: whoever asks comes new. */
  alone?: true;
  /** It is asked with an API key, each person with their own; what their sessions say counts for nothing. */
  withKey?: true;
}

export const statusesOf = (right: Right, role: Role): readonly number[] => [right[role]].flat();

type Asking = Right['ask'];

const anybody = (ok: Statuses, ask?: Asking): Right => ({
  visitor: ok,
  owner: ok,
  other: ok,
  admin: ok,
  ...(ask && { ask }),
});
/** Each person signed in gets or makes what is theirs. */
const signedIn = (ok: Statuses, ask?: Asking): Right => ({ ...anybody(ok, ask), visitor: 401 });
/** An object with an owner; for anybody else there is none, admins too. */
const ownerOnly = (ok: Statuses, ask: Asking, others = 404): Right => ({
  ...signedIn(ok, ask),
  other: others,
  admin: others,
});
/** Whoever has a key; `ask` is made with that of the owner. */
const keyHolders = (ok: Statuses, ask: Ask = {}): Right => ({
  ...signedIn(ok, ({ people }) => ({ ...ask, headers: { 'x-api-key': people.owner.key } })),
  withKey: true,
});
const adminOnly = (ok: Statuses, ask?: Asking): Right => ({ ...signedIn(ok, ask), owner: 403, other: 403 });

const accounts: Record<string, Right> = {
  'POST /api/auth/login': {
    ...anybody(200, async ({ fresh }) => {
      const { username, password } = await fresh.person();
      return { body: { username, password } };
    }),
    alone: true,
  },
  'POST /api/auth/register': {
    ...anybody(201, ({ fresh }) => {
      const username = `r${fresh.freshName().slice(-16, -8)}`;
      return { body: { username, email: `${username}@mail.example`, password: `long words of ${username}` } };
    }),
    alone: true,
  },
  'POST /api/auth/logout': { ...anybody(204), alone: true },
  'GET /api/auth/current-user': signedIn(200),
  'GET /api/account': signedIn(200),
  'GET /api/account/data': signedIn(200),
  'POST /api/account/password': {
    ...signedIn(204, (_, { password }) => ({ body: { currentPassword: password, newPassword: `not ${password}` } })),
    alone: true,
  },
  'DELETE /api/account': { ...signedIn(204, (_, { password }) => ({ body: { password } })), alone: true },
  'GET /api/users/count': adminOnly(200),
  'GET /api/admin/users': adminOnly(200),
  'GET /api/admin/users/find': adminOnly(200, ({ people }) => ({ query: { name: people.owner.username } })),
  'POST /api/admin/users/:id/grant-admin': adminOnly(200, somebody),
  'POST /api/admin/users/:id/revoke-admin': adminOnly(200, async (scenario) => {
    const { id } = await scenario.signUp({ admin: true });
    return { params: { id } };
  }),
  'POST /api/admin/users/:id/disable': adminOnly(200, somebody),
  'POST /api/admin/users/:id/enable': adminOnly(200, somebody),
};

const sessions: Record<string, Right> = {
  'GET /api/account/sessions': signedIn(200),
  'DELETE /api/account/sessions/:id': ownerOnly(204, async ({ context, people }) => ({
    params: await context.db
      .insertInto('sessions')
      .values({ user_id: people.owner.id, id_hash: randomBytes(32), expires_at: new Date(Date.now() + 60_000) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  })),
  'DELETE /api/account/sessions/others': { ...signedIn(204), alone: true },
  'DELETE /api/account/sessions': { ...signedIn(204), alone: true },
};

const resets: Record<string, Right> = {
  'POST /api/auth/reset-request': anybody(204, () => ({ body: { email: `${randomUUID()}@mail.example` } })),
  'POST /api/auth/reset': {
    ...anybody(200, async ({ context, fresh }) => {
      const { path } = await createResetLink(context.db, (await fresh.person()).id, new Date());
      return { body: { token: path.split('#')[1] ?? '', password: 'a long enough secret' } };
    }),
    alone: true,
  },
  'POST /api/admin/users/:id/reset-link': adminOnly(200, somebody),
};

/** Google is not set up in the scenario: accounts/google/google-sign-in.test.ts tests its tokens. */
const google: Record<string, Right> = {
  'POST /api/auth/firebase': anybody(404, () => ({ body: { idToken: 'a.b.c' } })),
  'POST /api/auth/firebase/link': anybody(404, () => ({ body: { idToken: 'a.b.c', password: 'any' } })),
  'GET /api/users/firebase/:uid': signedIn(404, () => ({ params: { uid: 'uid-of-somebody' } })),
  'POST /api/users': signedIn(403, () => ({ body: { firebaseUid: 'uid-of-somebody', isAdmin: true } })),
};

const newsletter: Record<string, Right> = {
  'POST /api/newsletter/subscribe': anybody(200, () => ({ body: { email: 'reader@mail.example' } })),
  'GET /api/newsletter/unsubscribe': anybody(404, () => ({ query: { token: 'made-up' } })),
  'POST /api/newsletter/unsubscribe': anybody(404, () => ({ query: { token: 'made-up' } })),
  'GET /api/account/newsletter': signedIn(200),
  'PUT /api/account/newsletter': signedIn(200, () => ({ body: { subscribed: false } })),
};

const keys: Record<string, Right> = {
  'GET /api/users/:userId/api-keys': ownerOnly(200, ({ people }) => ({ params: { userId: people.owner.id } }), 403),
  'POST /api/api-keys': signedIn(201, () => ({ body: { name: 'A key' } })),
  'DELETE /api/api-keys/:id': ownerOnly(204, async ({ fresh }) => ({ params: { id: (await fresh.apiKey()).id } })),
  'GET /api/v1/check': keyHolders(200, { query: { domain: 'listed-in-the-scenario.test' } }),
  'POST /api/v1/check/bulk': keyHolders(200, { body: { domains: ['listed-in-the-scenario.test', 'hello'] } }),
  'GET /api/v1/usage': keyHolders(200),
};

const websites: Record<string, Right> = {
  'GET /api/profiles': signedIn(200),
  'POST /api/profiles': signedIn(201, ({ fresh }) => ({
    body: { domain: fresh.freshName().replace(/^[^-]+/, 'site') },
  })),
  'DELETE /api/profiles/:id': ownerOnly(204, async ({ fresh }) => ({ params: { id: (await fresh.profile()).id } })),
  'GET /api/admin/profiles': adminOnly(200),
  'GET /api/admin/orphaned-profiles': adminOnly(200),
  'POST /api/admin/transfer-profile': adminOnly(200, async ({ fresh, people }) => ({
    body: { profileId: (await fresh.profile()).id, newFirebaseUid: people.other.username },
  })),
  'DELETE /api/admin/profiles/:id': adminOnly(204, async ({ fresh }) => ({
    params: { id: (await fresh.profile()).id },
  })),
};

const reports: Record<string, Right> = {
  'POST /api/backlinks/analyze': ownerOnly([200, 202], ({ once }) =>
    form('backlinkFile', `Source URL\nhttps://${once.listedName}/a\n`, { profileId: String(once.report.profileId) }),
  ),
  'GET /api/backlinks/analyses': signedIn(200),
  'GET /api/backlinks/analyses/:id': ownerOnly(200, ({ once }) => ({ params: { id: once.analysisId } })),
  'DELETE /api/backlinks/analyses/:id': ownerOnly(204, async ({ fresh }) => ({
    params: await fresh.runningAnalysis(),
  })),
  'GET /api/profiles/:id/reports': ownerOnly(200, ({ once }) => ({ params: { id: once.report.profileId } })),
  'GET /api/reports/:id': ownerOnly(200, theReport),
  'GET /api/reports/:id/backlinks': ownerOnly(200, theReport),
  'GET /api/reports/:id/export-harmful-backlinks': ownerOnly(200, theReport),
  'GET /api/reports/:id/disavow.txt': ownerOnly(200, theReport),
  'DELETE /api/reports/:id': ownerOnly(204, async ({ fresh }) => ({ params: { id: (await fresh.report()).id } })),
};

const listed = (cells: object = {}) => ({ domain: 'changed.test', source: 'crawler', ...cells });

const blacklist: Record<string, Right> = {
  'GET /api/domains': signedIn(200, () => ({ query: { search: 'in-the-scenario' } })),
  'GET /api/domains/:id': signedIn(200, aDomain),
  'GET /api/domains/export/csv': signedIn(200),
  'GET /api/domains/tlds': signedIn(200),
  'GET /api/domains/niches': signedIn(200),
  'POST /api/domains/:id/reports': signedIn(201, async (scenario) => ({
    ...(await aDomain(scenario)),
    body: { message: 'It sells no links any more.' },
  })),
  'GET /api/domains/sources': adminOnly(200),
  'POST /api/domains': adminOnly(201, () => ({ body: listed({ domain: 'added.test' }) })),
  'PUT /api/domains/:id': adminOnly(200, async (scenario) => ({ ...(await aDomain(scenario)), body: listed() })),
  'DELETE /api/domains/:id': adminOnly(204, aDomain),
  'POST /api/domains/bulk-delete': adminOnly(200, async ({ fresh }) => ({
    body: { ids: [(await fresh.domain()).id] },
  })),
  'POST /api/admin/delete-all-domains': adminOnly(200, () => ({ body: { confirmationCode: 'DELETE ALL DOMAINS' } })),
  'POST /api/risk/update-risk-levels': adminOnly(200),
  'GET /api/stats/count': anybody(200),
  'GET /api/check': anybody(200, ({ once }) => ({ query: { domain: once.listedName } })),
  'POST /api/domains/upload': adminOnly([200, 202], () => form('file', 'domain,source\nuploaded.test,crawler\n')),
  'GET /api/domains/import-status/:jobId': adminOnly(200, theImport),
  'GET /api/domains/import-status/:jobId/failures.csv': adminOnly(200, theImport),
  'GET /api/domains/imports': adminOnly(200),
  'GET /api/site-submissions': adminOnly(200),
  'GET /api/site-submissions/mine': signedIn(200),
  'POST /api/site-submissions': signedIn(201, ({ fresh }) => {
    const site = fresh.site();
    return { body: { ...site, domain: site.domain.replace(/^[^-]+/, 'site') } };
  }),
  'PUT /api/site-submissions/:id': adminOnly(200, async ({ fresh }) => ({
    params: { id: (await fresh.submission()).id },
    body: { status: 'rejected', reason: 'It sells nothing.' },
  })),
};

const inbox: Record<string, Right> = {
  'POST /api/contact': anybody(201, () => ({
    body: { name: 'A person', email: 'a@mail.example', subject: 'A question', message: 'How do I begin?' },
  })),
  'GET /api/admin/messages': adminOnly(200),
  'GET /api/admin/messages/count': adminOnly(200),
  'GET /api/admin/messages/:id': adminOnly(200, aMessage),
  'PATCH /api/admin/messages/:id/read': adminOnly(200, aMessage),
  'PATCH /api/admin/messages/:id/replied': adminOnly(200, aMessage),
  'POST /api/admin/messages/:id/reply': adminOnly(200, async (scenario) => ({
    ...(await aMessage(scenario)),
    body: { message: 'Upload your export.' },
  })),
  'DELETE /api/admin/messages/:id': adminOnly(204, aMessage),
};

const payments: Record<string, Right> = {
  'GET /api/subscriptions/mine': signedIn(200),
  'POST /api/subscriptions/checkout': signedIn(200, () => ({ body: { tier: 'standard' } })),
  'POST /api/subscriptions/manual-change': signedIn(200, () => ({ body: { tier: 'standard' } })),
  'GET /api/subscriptions/simulate-success': signedIn(200, () => ({ query: { tier: 'business' } })),
  // Payments are not set up in the scenario: subscriptions/webhook.test.ts tests its signatures.
  'POST /api/stripe/webhook': anybody(404, () => ({ body: { id: 'evt_1', type: 'invoice.paid' } })),
  'GET /api/reset-search-limit/:userId': ownerOnly(200, ({ people }) => ({ params: { userId: people.owner.id } }), 403),
};

const operation: Record<string, Right> = {
  'POST /api/admin/maintenance': adminOnly(202),
  'GET /api/admin/maintenance': adminOnly(200),
  'GET /api/admin/export/csv': adminOnly(200),
  'GET /api/admin/system': adminOnly(200),
  'GET /api/admin/jobs': adminOnly(200),
  'GET /api/admin/acts': adminOnly(200),
  'GET /api/admin/acts/kinds': adminOnly(200),
  'GET /api/admin/acts/export/csv': adminOnly(200),
  'GET /healthz': anybody(200),
  'GET /readyz': anybody(200),
  'GET /metrics': anybody(200),
};

/** They hold nothing of anybody's: what a screen shows, it asks for. */
const pages: Record<string, Right> = Object.fromEntries(
  [...pagePaths, '/robots.txt', '/sitemap.xml', '/api/openapi.json'].map((path) => [`GET ${path}`, anybody(200)]),
);

/** Every route of the server but the files of the built web app. HEAD is answered as GET is. */
export const rights: Record<string, Right> = {
  ...accounts,
  ...sessions,
  ...resets,
  ...google,
  ...newsletter,
  ...keys,
  ...websites,
  ...reports,
  ...blacklist,
  ...inbox,
  ...payments,
  ...operation,
  ...pages,
};

async function somebody({ fresh }: Scenario): Promise<Ask> {
  return { params: { id: (await fresh.person()).id } };
}
async function aDomain({ fresh }: Scenario): Promise<Ask> {
  return { params: { id: (await fresh.domain()).id } };
}
async function aMessage({ fresh }: Scenario): Promise<Ask> {
  return { params: await fresh.message() };
}
function theReport({ once }: Scenario): Ask {
  return { params: { id: once.report.id } };
}
function theImport({ once }: Scenario): Ask {
  return { params: { jobId: once.jobId } };
}

/** A multipart form with one file. */
function form(field: string, content: string, fields: Record<string, string> = {}): Ask {
  const boundary = 'a-boundary-that-no-file-holds';
  const part = (disposition: string, text: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
  const named = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value));
  return {
    payload: `${named.join('')}${part(`name="${field}"; filename="a.csv"`, content)}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
