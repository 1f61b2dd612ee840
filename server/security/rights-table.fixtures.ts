import { randomBytes, randomUUID } from 'node:crypto';
import { publishedFormats, publishedLists } from '#shared/blacklist/published-list.ts';
import { pagePaths, publicPages, recordPages } from '#shared/pages.ts';
import { createLinkToken } from '../accounts/accounts/link-tokens.ts';
import { generateCode } from '../accounts/accounts/second-factor/second-factor.fixtures.ts';
import { renewCodes, startSetup } from '../accounts/accounts/second-factor/second-factor.ts';
import { deleteSecondFactor, updateSecondFactorAt } from '../accounts/accounts/second-factor/store.ts';
import { createResetLink } from '../accounts/accounts/set-password.ts';
import { createChallenge } from '../accounts/accounts/sign-in.ts';
import { updateEmailToken, upsertEmailChange } from '../accounts/accounts/store-email-changes.ts';
import { deriveSetupToken } from '../accounts/setup/setup.ts';
import { deleteQueuedMail } from '../platform/mail/store.ts';
import { unlockAccount } from '../platform/throttle/queries.ts';
import { getFeedPath } from '../reports/alert-feed/alert-feed.ts';
import { toUnsubscribePath } from '../reports/digests/unsubscribe.ts';
import { deleteReport } from '../reports/reports/store.ts';
import { deleteWebsite } from '../reports/websites/store.ts';
import type { Scenario, TestRequest, TestUser } from './scenario.fixtures.ts';

export const roles = ['visitor', 'owner', 'other', 'admin'] as const;
export type Role = (typeof roles)[number];

type Statuses = number | readonly number[];

/** The status that each role gets from a route. `owner` requests their own object, `other` and `admin` the owner's. */
export interface RouteRights extends Record<Role, Statuses> {
  /**
   * The input of the call, built again for each call that succeeds. `user` is the owner, or the new user of
   * `needsNewUser`.
   */
  buildRequest?(scenario: Scenario, user: TestUser): TestRequest | Promise<TestRequest>;
  /** The call ends sessions or accounts, so each call needs a new user. */
  needsNewUser?: true;
  /** The call is made with the API key of its user. Sessions do not count. */
  withKey?: true;
}

export const getStatuses = (right: RouteRights, role: Role): readonly number[] => [right[role]].flat();

type RequestBuilder = RouteRights['buildRequest'];

const anyone = (ok: Statuses, buildRequest?: RequestBuilder): RouteRights => ({
  visitor: ok,
  owner: ok,
  other: ok,
  admin: ok,
  ...(buildRequest && { buildRequest }),
});
/** Every signed-in user reads or creates their own objects. */
const signedIn = (ok: Statuses, buildRequest?: RequestBuilder): RouteRights => ({
  ...anyone(ok, buildRequest),
  visitor: 401,
});
/** An object of one user. Everyone else, including admins, gets the status `others`. */
const ownerOnly = (ok: Statuses, buildRequest: RequestBuilder, others = 404): RouteRights => ({
  ...signedIn(ok, buildRequest),
  other: others,
  admin: others,
});
/** Anyone with an API key. `request` is sent with the owner's. */
const keyHolders = (ok: Statuses, request: TestRequest = {}): RouteRights => ({
  ...signedIn(ok, ({ users }) => ({ ...request, headers: { 'x-api-key': users.owner.key } })),
  withKey: true,
});
/** An object of one user, for their keys. Keys of others, also of admins, get 404. */
const keyOfOwner = (ok: Statuses, buildRequest: NonNullable<RequestBuilder>): RouteRights => ({
  ...ownerOnly(ok, async (scenario, user) => {
    const request = await buildRequest(scenario, user);
    return { ...request, headers: { ...request.headers, 'x-api-key': scenario.users.owner.key } };
  }),
  withKey: true,
});
/** What every user reads or creates with their own key. */
const keyOfAnyone = (ok: Statuses, buildRequest: NonNullable<RequestBuilder> = () => ({})): RouteRights => ({
  ...keyOfOwner(ok, buildRequest),
  other: ok,
  admin: ok,
});
const adminOnly = (ok: Statuses, buildRequest?: RequestBuilder): RouteRights => ({
  ...signedIn(ok, buildRequest),
  owner: 403,
  other: 403,
});

const accounts: Record<string, RouteRights> = {
  'POST /api/auth/login': {
    ...anyone(200, async ({ create }) => {
      const { username, password } = await create.user();
      return { body: { username, password } };
    }),
    needsNewUser: true,
  },
  'POST /api/auth/register': {
    ...anyone(201, ({ create }) => {
      const username = `r${create.uniqueName().slice(-16, -8)}`;
      return { body: { username, email: `${username}@mail.example`, password: `long words of ${username}` } };
    }),
    needsNewUser: true,
  },
  'POST /api/auth/logout': { ...anyone(204), needsNewUser: true },
  'GET /api/auth/current-user': signedIn(200),
  'GET /api/account': signedIn(200),
  'GET /api/account/data': signedIn(200),
  'GET /api/account/access': signedIn(200),
  'DELETE /api/account/access': { ...signedIn(204), needsNewUser: true },
  'GET /api/account/proof': signedIn(204),
  'PATCH /api/account': signedIn(200, () => ({ body: { displayName: 'Grace Hopper' } })),
  'POST /api/account/email': {
    ...signedIn(200, (_, { password }) => ({
      body: { email: `${randomUUID()}@mail.example`, currentPassword: password },
    })),
    needsNewUser: true,
  },
  'POST /api/account/email/link': {
    ...signedIn(204, async ({ context: { db } }, { id }) => {
      await db.updateTable('users').set({ email_confirmed: false }).where('id', '=', id).execute();
      return {};
    }),
    needsNewUser: true,
  },
  'POST /api/account/email/confirm': {
    ...signedIn(200, async ({ context: { db }, waitForIdle }, { id: userId, username }) => {
      // The email of an earlier request is being sent or retried, and would replace the token.
      await waitForIdle();
      await deleteQueuedMail(db, { userId, address: `${username}@mail.example` });
      const change = { userId, email: `${randomUUID()}@mail.example`, expiresAt: new Date(Date.now() + 60_000) };
      const { token, tokenHash } = createLinkToken();
      await upsertEmailChange(db, change);
      await updateEmailToken(db, { ...change, tokenHash });
      return { body: { token } };
    }),
    needsNewUser: true,
  },
  'POST /api/account/password': {
    ...signedIn(204, (_, { password }) => ({ body: { currentPassword: password, newPassword: `not ${password}` } })),
    needsNewUser: true,
  },
  'DELETE /api/account': { ...signedIn(204, (_, { password }) => ({ body: { password } })), needsNewUser: true },
  'GET /api/users/count': adminOnly(200),
  'GET /api/admin/users': adminOnly(200),
  'GET /api/admin/users/find': adminOnly(200, ({ users }) => ({ query: { name: users.owner.username } })),
  'POST /api/admin/users/:id/grant-admin': adminOnly(200, withNewUser),
  'POST /api/admin/users/:id/revoke-admin': adminOnly(200, async (scenario) => {
    const { id } = await scenario.signUp({ admin: true });
    return { params: { id } };
  }),
  'POST /api/admin/users/:id/disable': adminOnly(200, withNewUser),
  'POST /api/admin/users/:id/enable': adminOnly(200, withNewUser),
  'POST /api/admin/users/:id/unlock': adminOnly(200, withNewUser),
};

/** Gives the user a new secret for one-time codes, whose first code is not confirmed. @returns the secret */
async function startFactor({ context }: Scenario, { id }: TestUser): Promise<string> {
  await deleteSecondFactor(context.db, id);
  await unlockAccount(context.db, id);
  return (await startSetup(context, id)).secret;
}

/** Turns on the user's second factor. @returns a recovery code */
async function turnOnFactor(scenario: Scenario, user: TestUser): Promise<string> {
  await startFactor(scenario, user);
  await updateSecondFactorAt(scenario.context.db, user.id, new Date());
  return (await renewCodes(scenario.context.db, user.id)).recoveryCodes[0] ?? '';
}

const withFactor: NonNullable<RequestBuilder> = async (scenario, user) => {
  await turnOnFactor(scenario, user);
  return {};
};

const secondFactor: Record<string, RouteRights> = {
  'POST /api/auth/login/second-factor': {
    ...anyone(200, async (scenario) => {
      const user = await scenario.create.user();
      const code = await turnOnFactor(scenario, user);
      return { body: { challenge: createChallenge(scenario.context, { id: user.id, deviceVersion: 1 }), code } };
    }),
    needsNewUser: true,
  },
  'POST /api/account/second-factor': {
    ...signedIn(200, async ({ context }, { id }) => {
      await deleteSecondFactor(context.db, id);
      return {};
    }),
    needsNewUser: true,
  },
  'POST /api/account/second-factor/confirm': {
    ...signedIn(200, async (scenario, user) => ({ body: { code: generateCode(await startFactor(scenario, user)) } })),
    needsNewUser: true,
  },
  'POST /api/account/second-factor/recovery-codes': { ...signedIn(200, withFactor), needsNewUser: true },
  'DELETE /api/account/second-factor': { ...signedIn(204, withFactor), needsNewUser: true },
  'POST /api/account/reauthenticate': {
    ...signedIn(204, (_, { password }) => ({ body: { password } })),
    // The session gets a new id.
    needsNewUser: true,
  },
  'POST /api/admin/users/:id/reset-second-factor': adminOnly(200, withNewUser),
};

const sessions: Record<string, RouteRights> = {
  'GET /api/account/events': signedIn(200),
  'GET /api/account/sessions': signedIn(200),
  'DELETE /api/account/sessions/:id': ownerOnly(204, async ({ context, users }) => ({
    params: await context.db
      .insertInto('sessions')
      .values({ user_id: users.owner.id, id_hash: randomBytes(32), expires_at: new Date(Date.now() + 60_000) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  })),
  'DELETE /api/account/sessions/others': { ...signedIn(204), needsNewUser: true },
  'DELETE /api/account/sessions': { ...signedIn(204), needsNewUser: true },
};

const resets: Record<string, RouteRights> = {
  'POST /api/auth/reset-request': anyone(204, () => ({ body: { email: `${randomUUID()}@mail.example` } })),
  'POST /api/auth/reset': {
    ...anyone(200, async ({ context, create }) => {
      const { path } = await createResetLink(context.db, (await create.user()).id, new Date());
      return { body: { token: path.split('#')[1] ?? '', password: 'a long enough secret' } };
    }),
    needsNewUser: true,
  },
  'POST /api/admin/users/:id/reset-link': adminOnly(200, withNewUser),
};

/** The scenario has an admin, so no setup link works. setup/setup.test.ts tests it without one. */
const setup: Record<string, RouteRights> = {
  'POST /api/setup/check': anyone(409, ({ context }) => ({ body: { token: deriveSetupToken(context.secretKey) } })),
  'POST /api/setup': anyone(409, ({ context }) => ({
    body: {
      token: deriveSetupToken(context.secretKey),
      username: 'second-admin',
      email: 'second@mail.example',
      password: 'a long enough secret',
    },
  })),
};

/** Google sign-in is not configured in the scenario. accounts/google/google-sign-in.test.ts tests it with tokens. */
const google: Record<string, RouteRights> = {
  'POST /api/auth/firebase': anyone(404, () => ({ body: { idToken: 'a.b.c' } })),
  'POST /api/auth/firebase/link': anyone(404, () => ({ body: { idToken: 'a.b.c', password: 'any' } })),
  'POST /api/account/reauthenticate/firebase': signedIn(404, () => ({ body: { idToken: 'a.b.c' } })),
  'GET /api/users/firebase/:uid': signedIn(404, () => ({ params: { uid: 'uid-of-another-user' } })),
  'POST /api/users': signedIn(403, () => ({ body: { firebaseUid: 'uid-of-another-user', isAdmin: true } })),
};

/** No provider is set up in the scenario. accounts/oidc/oidc-sign-in.test.ts signs in with some. */
const oidc: Record<string, RouteRights> = {
  'GET /api/auth/oidc/:provider/start': anyone(404, () => ({ params: { provider: 'unknown' } })),
  'GET /api/auth/oidc/:provider/callback': anyone(404, () => ({ params: { provider: 'unknown' } })),
  'POST /api/account/identities/:provider': signedIn(404, () => ({ params: { provider: 'unknown' } })),
  'DELETE /api/account/identities/:id': {
    ...ownerOnly(204, async ({ context, users, create }) => {
      const row = { user_id: users.owner.id, issuer: 'https://login.example', subject: create.uniqueName() };
      const insert = context.db.insertInto('oidc_identities').values(row).returning('id');
      return { params: await insert.executeTakeFirstOrThrow() };
    }),
  },
};

const withOwnView: NonNullable<RequestBuilder> = async ({ context, users }) => ({
  params: await context.db
    .insertInto('saved_views')
    .values({ user_id: users.owner.id, name: randomUUID(), query: '{"filter":"all"}' })
    .returning('id')
    .executeTakeFirstOrThrow(),
});

const savedViews: Record<string, RouteRights> = {
  'GET /api/views': signedIn(200),
  'POST /api/views': signedIn(201, () => ({ body: { name: randomUUID(), query: {} } })),
  'PUT /api/views/:id': ownerOnly(200, async (scenario, user) => ({
    ...(await withOwnView(scenario, user)),
    body: { name: randomUUID() },
  })),
  'DELETE /api/views/:id': ownerOnly(204, withOwnView),
};

const newsletter: Record<string, RouteRights> = {
  'POST /api/newsletter/subscribe': anyone(200, () => ({ body: { email: 'reader@mail.example' } })),
  'GET /api/newsletter/unsubscribe': anyone(404, () => ({ query: { token: 'made-up' } })),
  'POST /api/newsletter/unsubscribe': anyone(404, () => ({ query: { token: 'made-up' } })),
  'GET /api/account/newsletter': signedIn(200),
  'PUT /api/account/newsletter': signedIn(200, () => ({ body: { subscribed: false } })),
};

/** The last part of the path is the credential. */
const withUnsubscribeToken: NonNullable<RequestBuilder> = ({ context, users }) => ({
  params: { token: toUnsubscribePath(context.secretKey, users.owner.id).split('/').at(-1) ?? '' },
});

const digests: Record<string, RouteRights> = {
  'GET /unsubscribe/:token': anyone(200, withUnsubscribeToken),
  'POST /unsubscribe/:token': anyone(200, withUnsubscribeToken),
};

const alertFeed: Record<string, RouteRights> = {
  'GET /api/account/alert-feed': signedIn(200),
  'POST /api/account/alert-feed': { ...signedIn(200), needsNewUser: true },
  'GET /alerts/:token.xml': anyone(200, async ({ context, users }) => ({
    params: { token: /([\w-]+)\.xml$/.exec(await getFeedPath(context, users.owner.id))?.[1] ?? '' },
  })),
};

const keys: Record<string, RouteRights> = {
  'GET /api/users/:userId/api-keys': ownerOnly(200, ({ users }) => ({ params: { userId: users.owner.id } }), 403),
  'POST /api/api-keys': signedIn(201, () => ({ body: { name: 'A key' } })),
  'POST /api/api-keys/:id/rotate': ownerOnly(200, async ({ create }) => ({
    params: { id: (await create.apiKey()).id },
    body: {},
  })),
  'PATCH /api/api-keys/:id': ownerOnly(204, async ({ create }) => ({
    params: { id: (await create.apiKey()).id },
    body: { scopes: ['check'] },
  })),
  'DELETE /api/api-keys/:id': ownerOnly(204, async ({ create }) => ({ params: { id: (await create.apiKey()).id } })),
  'GET /api/v1/check': keyHolders(200, { query: { domain: 'listed-in-the-scenario.test' } }),
  'POST /api/v1/check/bulk': keyHolders(200, { body: { domains: ['listed-in-the-scenario.test', 'hello'] } }),
  'GET /api/v1/check.csv': keyHolders(200, { query: { domains: 'listed-in-the-scenario.test,hello' } }),
  'GET /api/v1/usage': keyHolders(200),
  // The protocol refuses messages with fields that it does not define, which some tests add.
  'POST /mcp': keyHolders([200, 400], { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
  'GET /mcp': keyHolders(405),
  'DELETE /mcp': keyHolders(405),
};

/** checks/mcp/oauth.test.ts connects assistants. Requests that are not complete get 400. */
const oauth: Record<string, RouteRights> = {
  'GET /.well-known/oauth-protected-resource': anyone(200),
  'GET /.well-known/oauth-protected-resource/mcp': anyone(200),
  'GET /.well-known/oauth-authorization-server': anyone(200),
  'POST /api/oauth/register': anyone(201, () => ({ body: { redirect_uris: ['https://assistant.example/callback'] } })),
  'GET /api/oauth/authorize': anyone(400),
  'GET /api/oauth/authorize/:id': anyone(400, () => ({ params: { id: 'of-no-request' } })),
  'POST /api/oauth/token': anyone(400),
  'POST /api/oauth/revoke': anyone(400),
  'GET /api/oauth/requests/:id': signedIn(404, () => ({ params: { id: 'of-no-request' } })),
  'POST /api/oauth/requests/:id': signedIn(404, () => ({
    params: { id: 'of-no-request' },
    body: { scopes: ['read'] },
  })),
};

const withWebhook: NonNullable<RequestBuilder> = async ({ create }) => ({ params: await create.webhook() });

const webhooks: Record<string, RouteRights> = {
  'GET /api/webhooks': signedIn(200),
  'POST /api/webhooks/:id/test': ownerOnly(200, withWebhook),
  'POST /api/webhooks/:id/deliveries/:deliveryId/replay': ownerOnly(200, withWebhook),
  'GET /api/webhooks/:id/deliveries': ownerOnly(200, withWebhook),
  'POST /api/webhooks/:id/secret': ownerOnly(200, withWebhook),
  'PUT /api/webhooks/:id': ownerOnly(200, async (scenario, user) => ({
    ...(await withWebhook(scenario, user)),
    body: { events: ['alert.created'] },
  })),
  'DELETE /api/webhooks/:id': ownerOnly(204, withWebhook),
  'POST /api/webhooks': signedIn(201, async ({ context }) => {
    // The number of webhooks of a user is limited.
    await context.db.deleteFrom('webhooks').execute();
    return { body: { url: 'https://hooks.invalid/events', events: ['alert.created'] } };
  }),
};

const websites: Record<string, RouteRights> = {
  'GET /api/profiles': signedIn(200),
  'POST /api/profiles': signedIn(201, ({ create }) => ({
    body: { domain: create.uniqueName().replace(/^[^-]+/, 'site') },
  })),
  'PUT /api/profiles/:id/disavow-answers': ownerOnly(200, ({ existing }) => ({
    params: { id: existing.report.profileId },
    body: { manualAction: 'no', boughtLinks: 'no', suddenDrop: 'unsure' },
  })),
  'GET /api/profiles/:id/watch': ownerOnly(200, ({ existing }) => ({ params: { id: existing.report.profileId } })),
  'PUT /api/profiles/:id/watch': ownerOnly(200, ({ existing }) => ({
    params: { id: existing.report.profileId },
    body: { enabled: true, digest: 'daily' },
  })),
  'GET /api/alerts': ownerOnly(200, ({ existing }) => ({ query: { profileId: String(existing.report.profileId) } })),
  'POST /api/alerts/read': ownerOnly(200, ({ existing }) => ({
    body: { all: true, profileId: existing.report.profileId },
  })),
  'PUT /api/profiles/:id': ownerOnly(200, async ({ create }) => ({
    params: { id: (await create.profile()).id },
    body: { tags: ['A client'] },
  })),
  'DELETE /api/profiles/:id': ownerOnly(204, async ({ create }) => ({ params: { id: (await create.profile()).id } })),
  'POST /api/profiles/:id/restore': ownerOnly(204, async ({ context, create, users }) => {
    const { id } = await create.profile();
    await deleteWebsite(context.db, users.owner.id, id);
    return { params: { id } };
  }),
  'GET /api/admin/profiles': adminOnly(200),
  'GET /api/admin/orphaned-profiles': adminOnly(200),
  'POST /api/admin/transfer-profile': adminOnly(200, async ({ create, users }) => ({
    body: { profileId: (await create.profile()).id, newFirebaseUid: users.other.username },
  })),
  'DELETE /api/admin/profiles/:id': adminOnly(204, async ({ create }) => ({
    params: { id: (await create.profile()).id },
  })),
};

const reports: Record<string, RouteRights> = {
  'POST /api/backlinks/analyze': ownerOnly([200, 202], ({ existing }) =>
    buildForm('backlinkFile', `Source URL\nhttps://${existing.listedName}/a\n`, {
      profileId: String(existing.report.profileId),
    }),
  ),
  'POST /api/backlinks/preview': signedIn(200, () => buildForm('backlinkFile', 'Source URL\nhttps://a.test/\n')),
  'GET /api/uploads/:id': ownerOnly(200, async ({ create }) => ({ params: await create.interruptedUpload() })),
  'DELETE /api/uploads/:id': ownerOnly(204, async ({ create }) => ({ params: await create.interruptedUpload() })),
  'GET /api/backlinks/analyses': signedIn(200),
  'GET /api/backlinks/analyses/:id': ownerOnly(200, ({ existing }) => ({ params: { id: existing.analysisId } })),
  'DELETE /api/backlinks/analyses/:id': ownerOnly(204, async ({ create }) => ({
    params: await create.queuedAnalysis(),
  })),
  'POST /api/backlinks/analyses/:id/answer': ownerOnly([200, 202], async ({ create }) => ({
    params: await create.waitingAnalysis(),
    body: { anyway: true },
  })),
  'GET /api/profiles/:id/decisions': ownerOnly(200, ({ existing }) => ({ params: { id: existing.report.profileId } })),
  'PUT /api/profiles/:id/decisions': ownerOnly(200, ({ existing }) => ({
    params: { id: existing.report.profileId },
    body: { domains: [existing.listedName], decision: 'disavow' },
  })),
  'GET /api/profiles/:id/reports': ownerOnly(200, ({ existing }) => ({ params: { id: existing.report.profileId } })),
  'GET /api/reports/:id': ownerOnly(200, withReport),
  'GET /api/reports/:id/backlinks': ownerOnly(200, withReport),
  'GET /api/reports/:id/export-harmful-backlinks': ownerOnly(200, withReport),
  'GET /api/reports/:id/domains': ownerOnly(200, withReport),
  'GET /api/reports/:id/domain-names': ownerOnly(200, withReport),
  'GET /api/reports/:id/domains.csv': ownerOnly(200, withReport),
  'GET /api/reports/:id/domains.xlsx': ownerOnly(200, withReport),
  'GET /api/reports/:id/overview': ownerOnly(200, withReport),
  'GET /api/reports/:id/disavow.txt': ownerOnly(200, withReport),
  'POST /api/reports/:id/link-checks': ownerOnly(202, (scenario) => ({ ...withReport(scenario), body: {} })),
  'GET /api/reports/:id/link-checks': ownerOnly(200, withReport),
  'DELETE /api/reports/:id/link-checks': ownerOnly(204, async ({ create }) => ({ params: await create.linkCheck() })),
  'GET /api/reports/:id/live-pages': ownerOnly(200, (scenario) => ({
    ...withReport(scenario),
    query: { domain: scenario.existing.listedName },
  })),
  'DELETE /api/reports/:id': ownerOnly(204, async ({ create }) => ({ params: { id: (await create.report()).id } })),
  'POST /api/reports/:id/restore': ownerOnly(204, async ({ context, create, users }) => {
    const { id } = await create.report();
    await deleteReport(context.db, users.owner.id, id);
    return { params: { id } };
  }),
};

const withSharedReport: NonNullable<RequestBuilder> = async ({ create }) => ({ params: await create.sharedReport() });

/** Gives each account a logo. */
const storeLogos = async ({ context }: Pick<Scenario, 'context'>) => {
  await context.pool.query(`
    insert into report_brands (user_id, name, logo, logo_type)
    select id, 'Studio', '\\x89504e470d0a1a0a', 'image/png' from users on conflict do nothing
  `);
  return {};
};

const reportShares: Record<string, RouteRights> = {
  'GET /api/reports/:id/share': ownerOnly(200, withReport),
  'POST /api/reports/:id/share': ownerOnly(201, (scenario) => ({ ...withReport(scenario), body: { days: 7 } })),
  'DELETE /api/reports/:id/share': ownerOnly(204, withReport),
  'GET /api/shared/:token': anyone(200, withSharedReport),
  'GET /api/shared/:token/logo': anyone(200, async (scenario) => {
    await storeLogos(scenario);
    return { params: await scenario.create.sharedReport() };
  }),
  'GET /api/account/report-brand': signedIn(200),
  'PUT /api/account/report-brand': signedIn(200, () => ({ body: { name: 'Studio' } })),
  'GET /api/account/report-brand/logo': signedIn(200, storeLogos),
  'GET /api/shared/:token/domains': anyone(200, withSharedReport),
  'GET /api/shared/:token/backlinks': anyone(200, async (scenario) => ({
    params: await scenario.create.sharedReport(),
    query: { domain: scenario.existing.listedName },
  })),
  'GET /shared/:token': anyone(200, withSharedReport),
};

const withDisavowFile: NonNullable<RequestBuilder> = async ({ create }) => ({ params: await create.disavowFile() });

const disavowFiles: Record<string, RouteRights> = {
  'POST /api/profiles/:id/disavow-files': ownerOnly(201, ({ existing }) => ({
    params: { id: existing.report.profileId },
    ...buildForm('file', `domain:${existing.listedName}\n`),
  })),
  'GET /api/profiles/:id/disavow-files': ownerOnly(200, ({ existing }) => ({
    params: { id: existing.report.profileId },
  })),
  'GET /api/profiles/:id/disavow-files/:fileId': ownerOnly(200, withDisavowFile),
  'GET /api/profiles/:id/disavow-files/:fileId/lines': ownerOnly(200, withDisavowFile),
  'GET /api/profiles/:id/disavow-files/:fileId/changes': ownerOnly(200, async ({ create }) => {
    const params = await create.disavowFile();
    return { params, query: { since: String(params.fileId) } };
  }),
  'GET /api/profiles/:id/disavow-files/:fileId/merged.txt': ownerOnly(200, withDisavowFile),
  'GET /api/profiles/:id/disavow-files/:fileId/reavow.txt': ownerOnly(200, withDisavowFile),
  'GET /api/profiles/:id/disavow-files/:fileId/original.txt': ownerOnly(200, withDisavowFile),
  'DELETE /api/profiles/:id/disavow-files/:fileId': ownerOnly(204, withDisavowFile),
};

const listed = (cells: object = {}) => ({ domain: 'changed.test', source: 'crawler', ...cells });

const blacklist: Record<string, RouteRights> = {
  'GET /api/domains': signedIn(200, () => ({ query: { search: 'in-the-scenario' } })),
  'POST /api/domains/lookup': signedIn(200, ({ existing }) => ({ body: { names: [existing.listedName] } })),
  'POST /api/domains/lookup/csv': signedIn(200, ({ existing }) => ({ body: { names: [existing.listedName] } })),
  'GET /api/domains/counts': signedIn(200, () => ({ query: { search: 'in-the-scenario' } })),
  'GET /api/domains/:id': signedIn(200, withNewDomain),
  'GET /api/domains/:id/listings': signedIn(200, withNewDomain),
  'GET /api/domains/export/csv': signedIn(200),
  'GET /api/domains/tlds': signedIn(200),
  'GET /api/domains/niches': signedIn(200),
  'POST /api/domains/:id/reports': signedIn(201, async (scenario) => ({
    ...(await withNewDomain(scenario)),
    body: { message: 'It no longer sells links.' },
  })),
  'GET /api/domains/sources': adminOnly(200),
  'POST /api/domains': adminOnly(201, () => ({ body: listed({ domain: 'added.test' }) })),
  'PUT /api/domains/:id': adminOnly(200, async (scenario) => ({ ...(await withNewDomain(scenario)), body: listed() })),
  'DELETE /api/domains/:id': adminOnly(204, withNewDomain),
  'POST /api/domains/bulk-delete': adminOnly(200, async ({ create }) => ({
    body: { ids: [(await create.domain()).id] },
  })),
  'POST /api/domains/restore': adminOnly(200, () => ({ body: { ids: [1] } })),
  'POST /api/admin/delete-all-domains': adminOnly(200, () => ({ body: { confirmationCode: 'DELETE ALL DOMAINS' } })),
  'POST /api/risk/update-risk-levels': adminOnly(200),
  'GET /api/stats/count': anyone(200),
  'GET /api/stats/composition': signedIn(200),
  'GET /api/updates': anyone(200),
  'GET /api/check': anyone(200, ({ existing }) => ({ query: { domain: existing.listedName } })),
  'POST /api/domain-lists': anyone(201, ({ existing }) => ({ body: { text: existing.listedName } })),
  'GET /api/domain-lists': signedIn(200),
  'DELETE /api/domain-lists/:id': ownerOnly(204, withNewList),
  'GET /api/domain-lists/:id': { ...ownerOnly(200, withNewList), visitor: 404 },
  'GET /api/domain-lists/:id/csv': { ...ownerOnly(200, withNewList), visitor: 404 },
  'POST /api/domains/upload': adminOnly([200, 202], () => buildForm('file', 'domain,source\nuploaded.test,crawler\n')),
  'POST /api/domains/upload/check': adminOnly([200, 202], () => buildForm('file', 'domain,source\nchecked.test,x\n')),
  'POST /api/domains/upload/preview': adminOnly(200, () => buildForm('file', 'domain,source\npreview.test,x\n')),
  'GET /api/domains/import-status/:jobId': adminOnly(200, withImport),
  'DELETE /api/domains/import-status/:jobId': adminOnly(204, async ({ create }) => ({
    params: { jobId: (await create.queuedImport()).id },
  })),
  'GET /api/domains/import-status/:jobId/failures.csv': adminOnly(200, withImport),
  'GET /api/domains/imports': adminOnly(200),
  'GET /api/site-submissions': adminOnly(200),
  'GET /api/site-submissions/mine': signedIn(200),
  'POST /api/site-submissions': signedIn(201, ({ create }) => {
    const site = create.siteInput();
    return { body: { ...site, domain: site.domain.replace(/^[^-]+/, 'site') } };
  }),
  'GET /api/admin/discoveries': adminOnly(200),
  'POST /api/admin/discoveries': adminOnly(202, () => ({ body: { domains: ['seller.example'] } })),
  'PUT /api/admin/discoveries/:id': adminOnly(200, async ({ create }) => ({
    params: await create.discovery(),
    body: { status: 'rejected' },
  })),
  'PUT /api/site-submissions/:id': adminOnly(200, async ({ create }) => ({
    params: { id: (await create.submission()).id },
    body: { status: 'rejected', reason: 'It sells nothing.' },
  })),
};

const sources: Record<string, RouteRights> = {
  'GET /api/admin/sources': adminOnly(200),
  'PATCH /api/admin/sources/:id': adminOnly(200, async ({ create }) => ({
    params: await create.source(),
    body: { kind: 'list', familyId: (await create.family()).id },
  })),
  'POST /api/admin/sources/:id/merge': adminOnly(202, async ({ create }) => ({
    params: await create.source(),
    body: { intoId: (await create.source()).id },
  })),
  'GET /api/admin/source-runs': adminOnly(200),
  'POST /api/admin/source-runs/:id/retry': adminOnly(202, async ({ create }) => ({
    params: await create.failedSourceRun(),
  })),
  'GET /api/admin/families': adminOnly(200),
  'POST /api/admin/families': adminOnly(201, async ({ create }) => ({
    body: { name: randomUUID(), sourceIds: [(await create.source()).id] },
  })),
  'DELETE /api/admin/families/:id': adminOnly(204, async ({ create }) => ({ params: await create.family() })),
  'GET /api/admin/families/suggestions': adminOnly(200),
};

const review: Record<string, RouteRights> = {
  'GET /api/admin/held': adminOnly(200),
  'POST /api/admin/held/:id': adminOnly(204, async ({ create }) => ({
    params: { id: (await create.heldListing()).id },
    body: { decision: 'list' },
  })),
  'POST /api/admin/held/decisions': adminOnly(200, async ({ create }) => ({
    body: { ids: [(await create.heldListing()).id], decision: 'reject' },
  })),
  'GET /api/admin/allow-rules': adminOnly(200),
  'POST /api/admin/allow-rules': adminOnly(201, async ({ create }) => ({
    body: { domain: (await create.domain()).name, reason: 'A partner' },
  })),
  'DELETE /api/admin/allow-rules/:id': adminOnly(204, async ({ create }) => ({
    params: { id: (await create.siteRule('allow')).id },
  })),
  'GET /api/admin/shared-hosts': adminOnly(200),
  'GET /api/admin/shared-hosts/preview': adminOnly(200, () => ({ query: { host: 'many-owners.test' } })),
  'POST /api/admin/shared-hosts': adminOnly(201, () => ({
    body: { host: `${randomUUID()}.test`, reason: 'A blog host' },
  })),
  'POST /api/admin/shared-hosts/dismissals': adminOnly(204, async ({ create }) => ({
    body: { host: (await create.siteRule('suggested')).domain },
  })),
  'DELETE /api/admin/shared-hosts/:id': adminOnly(204, async ({ create }) => ({
    params: { id: (await create.siteRule('shared')).id },
  })),
  'GET /api/admin/feeds/catalogue': adminOnly(200),
  'GET /api/admin/feeds': adminOnly(200),
  'POST /api/admin/feeds': adminOnly(201, () => ({
    body: { name: randomUUID(), url: 'https://lists.invalid/list.txt' },
  })),
  'PATCH /api/admin/feeds/:id': adminOnly(200, async ({ create }) => ({
    params: { id: (await create.feed()).id },
    body: { intervalHours: 48 },
  })),
  'DELETE /api/admin/feeds/:id': adminOnly(204, async ({ create }) => ({ params: { id: (await create.feed()).id } })),
  'POST /api/admin/feeds/:id/refresh': adminOnly(202, async ({ create }) => ({
    params: { id: (await create.feed()).id },
  })),
  'GET /api/admin/feeds/:id/runs': adminOnly(200, async ({ create }) => ({
    params: { id: (await create.feed()).id },
  })),
  'GET /api/admin/feeds/:id/runs/:runId/changes': adminOnly(200, async ({ create }) => ({
    params: await create.heldBackRun(),
  })),
  'POST /api/admin/feeds/:id/runs/:runId/accept': adminOnly(202, async ({ create }) => ({
    params: await create.heldBackRun(),
  })),
};

const crawl: Record<string, RouteRights> = {
  'GET /api/admin/settings/crawl': adminOnly(200),
  'PUT /api/admin/settings/crawl': adminOnly(200, () => ({ body: { enabled: true } })),
  'GET /api/crawl/opt-outs': signedIn(200),
  'POST /api/crawl/opt-outs': signedIn(201, () => ({ body: { domain: 'opt-out.example', proof: 'dns' } })),
  'POST /api/crawl/opt-outs/:id/verify': ownerOnly(200, async ({ create }) => ({ params: await create.optOut() })),
  'DELETE /api/crawl/opt-outs/:id': ownerOnly(204, async ({ create }) => ({ params: await create.optOut() })),
};

const domainPages: Record<string, RouteRights> = {
  'GET /api/domains/by-name/:name': anyone(200, ({ existing }) => ({ params: { name: existing.listedName } })),
  'GET /api/domains/by-name/:name/appeals': signedIn(200, async ({ create }) => ({
    params: { name: (await create.appeal()).name },
  })),
  'POST /api/domains/by-name/:name/appeals': signedIn(201, async ({ create }) => ({
    params: { name: (await create.domain()).name },
    body: { message: 'We sell nothing.', proof: 'dns' },
  })),
  'POST /api/domains/by-name/:name/appeals/:id/verify': ownerOnly(200, async ({ create }) => ({
    params: await create.appeal(),
  })),
  'DELETE /api/domains/by-name/:name/appeals/:id': ownerOnly(204, async ({ create }) => ({
    params: await create.appeal(),
  })),
  'GET /api/admin/appeals/:id': adminOnly(200, async ({ create }) => ({ params: await create.appeal() })),
  'POST /api/admin/appeals/:id': adminOnly(200, async ({ create }) => ({
    params: await create.appeal('verified'),
    body: { decision: 'keep', publishStatement: true, reason: 'The offer is still online.' },
  })),
};

const inbox: Record<string, RouteRights> = {
  'POST /api/contact': anyone(201, () => ({
    body: { name: 'A visitor', email: 'a@mail.example', subject: 'A question', message: 'How do I start?' },
  })),
  'GET /api/admin/messages': adminOnly(200),
  'GET /api/admin/messages/count': adminOnly(200),
  'GET /api/admin/messages/:id': adminOnly(200, withNewMessage),
  'PATCH /api/admin/messages/:id/read': adminOnly(200, withNewMessage),
  'PATCH /api/admin/messages/:id/replied': adminOnly(200, withNewMessage),
  'POST /api/admin/messages/:id/reply': adminOnly(200, async (scenario) => ({
    ...(await withNewMessage(scenario)),
    body: { message: 'Upload your export.' },
  })),
  'DELETE /api/admin/messages/:id': adminOnly(204, withNewMessage),
};

const payments: Record<string, RouteRights> = {
  'GET /api/subscriptions/mine': signedIn(200),
  'POST /api/subscriptions/checkout': signedIn(200, () => ({ body: { tier: 'standard' } })),
  'POST /api/subscriptions/manual-change': signedIn(200, () => ({ body: { tier: 'standard' } })),
  'GET /api/subscriptions/simulate-success': signedIn(200, () => ({ query: { tier: 'business' } })),
  // Payments are not configured in the scenario. subscriptions/webhook.test.ts tests signed events.
  'POST /api/stripe/webhook': anyone(404, () => ({ body: { id: 'evt_1', type: 'invoice.paid' } })),
  'GET /api/reset-search-limit/:userId': ownerOnly(200, ({ users }) => ({ params: { userId: users.owner.id } }), 403),
};

const operation: Record<string, RouteRights> = {
  'POST /api/admin/maintenance': adminOnly(202),
  'GET /api/admin/maintenance': adminOnly(200),
  'GET /api/admin/export/csv': adminOnly(200),
  'GET /api/admin/status': adminOnly(200),
  'GET /api/admin/system': adminOnly(200),
  'GET /api/admin/jobs': adminOnly(200),
  'GET /api/admin/account-events': adminOnly(200),
  'GET /api/admin/audit-events': adminOnly(200),
  'GET /api/admin/audit-events/kinds': adminOnly(200),
  'GET /api/admin/audit-events/export/csv': adminOnly(200),
  'GET /healthz': anyone(200),
  'GET /readyz': anyone(200),
  'GET /metrics': anyone(401),
};

const openPages = new Set<string>([...publicPages, '/pricing', '/auth', '/setup']);

/** Visitors are sent to sign in. A screen contains only responses of the API, which refuses what is not theirs. */
const pages: Record<string, RouteRights> = Object.fromEntries([
  ...[
    ...openPages,
    '/robots.txt',
    '/sitemap.xml',
    '/opensearch.xml',
    '/llms.txt',
    '/.well-known/security.txt',
    '/updates.xml',
    '/api/openapi.json',
  ].map((path) => [`GET ${path}`, anyone(200)] as const),
  ['GET /.well-known/change-password', anyone(302)],
  ...[...pagePaths, ...recordPages]
    .filter((path) => !openPages.has(path))
    .map((path) => [`GET ${path}`, { ...anyone(200), visitor: 302 }] as const),
]);

/** The scenario publishes its blacklist. */
const published: Record<string, RouteRights> = Object.fromEntries(
  publishedFormats.map((format) => [`GET ${publishedLists[format].path}`, anyone(200)]),
);

const withWebsite: NonNullable<RequestBuilder> = ({ existing }) => ({ params: { id: existing.report.profileId } });

/** The calls for API keys besides checks. key-routes.test.ts calls each of them with a key for each scope. */
const keyCalls: Record<string, RouteRights> = {
  'GET /api/v1/websites': keyOfAnyone(200),
  'POST /api/v1/websites': keyOfAnyone(201, ({ create }) => ({
    body: { domain: create.uniqueName().replace(/^[^-]+/, 'site') },
  })),
  'GET /api/v1/websites/:id': keyOfOwner(200, withWebsite),
  'PATCH /api/v1/websites/:id': keyOfOwner(200, async ({ create }) => ({
    params: { id: (await create.profile()).id },
    body: { tags: ['A client'] },
  })),
  'DELETE /api/v1/websites/:id': keyOfOwner(204, async ({ create }) => ({
    params: { id: (await create.profile()).id },
  })),
  'POST /api/v1/websites/:id/analyses': keyOfOwner(202, ({ existing }) => ({
    params: { id: existing.report.profileId },
    ...buildForm('file', `Source URL\nhttps://${existing.listedName}/a\n`),
  })),
  'GET /api/v1/uploads/:id': keyOfOwner(200, async ({ create }) => ({ params: await create.interruptedUpload() })),
  'GET /api/v1/analyses/:id': keyOfOwner(200, ({ existing }) => ({ params: { id: existing.analysisId } })),
  'POST /api/v1/analyses/:id/answer': keyOfOwner(202, async ({ create }) => ({
    params: await create.waitingAnalysis(),
    body: { anyway: true },
  })),
  'GET /api/v1/websites/:id/reports': keyOfOwner(200, withWebsite),
  'GET /api/v1/websites/:id/decisions': keyOfOwner(200, withWebsite),
  'PUT /api/v1/websites/:id/decisions': keyOfOwner(200, ({ existing }) => ({
    params: { id: existing.report.profileId },
    body: { decisions: [{ domain: existing.listedName, decision: 'disavow' }] },
  })),
  'GET /api/v1/websites/:id/disavow.txt': keyOfOwner(200, withWebsite),
  'GET /api/v1/reports/:id': keyOfOwner(200, withReport),
  'GET /api/v1/reports/:id/domains': keyOfOwner(200, withReport),
  'GET /api/v1/reports/:id/links': keyOfOwner(200, withReport),
  'GET /api/v1/alerts': keyOfAnyone(200),
  'POST /api/v1/submissions': keyOfAnyone(201, ({ create }) => {
    const site = create.siteInput();
    return { body: { ...site, domain: site.domain.replace(/^[^-]+/, 'site') } };
  }),
};

const range: Record<string, RouteRights> = {
  'GET /api/v1/range': anyone(200),
  'GET /api/v1/range/:prefix': anyone(200, () => ({ params: { prefix: '0000' } })),
};

const pagesOfDomains: Record<string, RouteRights> = {
  'GET /domain': anyone(302, ({ existing }) => ({ query: { domain: existing.listedName } })),
  'GET /domain/:name': anyone(200, ({ existing }) => ({ params: { name: existing.listedName } })),
};

/** Every route of the server except the files of the built web app. HEAD gets the same status as GET. */
export const rights: Record<string, RouteRights> = {
  ...accounts,
  ...sessions,
  ...resets,
  ...setup,
  ...secondFactor,
  ...google,
  ...savedViews,
  ...newsletter,
  ...digests,
  ...alertFeed,
  ...keys,
  ...oidc,
  ...oauth,
  ...keyCalls,
  ...websites,
  ...reports,
  ...reportShares,
  ...disavowFiles,
  ...blacklist,
  ...sources,
  ...review,
  ...domainPages,
  ...crawl,
  ...inbox,
  ...payments,
  ...operation,
  ...pages,
  ...pagesOfDomains,
  ...published,
  ...range,
  // Last: what other calls cause would change the deliveries of these webhooks at any time.
  ...webhooks,
};

async function withNewUser({ create }: Scenario): Promise<TestRequest> {
  return { params: { id: (await create.user()).id } };
}
async function withNewDomain({ create }: Scenario): Promise<TestRequest> {
  return { params: { id: (await create.domain()).id } };
}
/** A list of the owner. Those of visitors are open to everyone: domain-lists/routes.test.ts tests them. */
async function withNewList({ context, users }: Scenario): Promise<TestRequest> {
  const list = { entries: 'listed.test', entry_count: 1, duplicates: 0, created_at: new Date() };
  return {
    params: await context.db
      .insertInto('domain_lists')
      .values({ ...list, user_id: users.owner.id })
      .returning('id')
      .executeTakeFirstOrThrow(),
  };
}
async function withNewMessage({ create }: Scenario): Promise<TestRequest> {
  return { params: await create.message() };
}
function withReport({ existing }: Scenario): TestRequest {
  return { params: { id: existing.report.id } };
}
function withImport({ existing }: Scenario): TestRequest {
  return { params: { jobId: existing.jobId } };
}

/** A multipart form with one file. */
function buildForm(field: string, content: string, fields: Record<string, string> = {}): TestRequest {
  const boundary = 'a-boundary-that-no-file-contains';
  const part = (disposition: string, text: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
  const named = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value));
  return {
    payload: `${named.join('')}${part(`name="${field}"; filename="a.csv"`, content)}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
