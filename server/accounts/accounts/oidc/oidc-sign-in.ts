import { hash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type LinkedIdentity, signInProblems } from '#shared/accounts/oidc.ts';
import type { Context } from '../../../context.ts';
import { recordAuditEvent } from '../../../platform/audit/audit.ts';
import { getClientAddress, getClientNetwork, getPublishedOrigin } from '../../../platform/http/address.ts';
import { describeCookie } from '../../../platform/http/cookies.ts';
import { conflict, HttpError, notFound } from '../../../platform/http/errors.ts';
import type { Exchange } from '../../../platform/http/scope.ts';
import { recordRegistration, recordUse, tryUse } from '../../../platform/throttle/throttle.ts';
import { recordAccountEvent } from '../../account-events/account-events.ts';
import { getAccount } from '../accounts.ts';
import { requestConfirmation, toAddressLimit } from '../confirmation-email.ts';
import { generateUsername } from '../log-in.ts';
import { lockAccount } from '../queries.ts';
import { signIn } from '../sign-in.ts';
import { type AccountRow, findAccountByEmail, insertAccountIfFree, lockAdmins, updateIsAdmin } from '../store.ts';
import type { OidcClient, OidcIdentity } from './client.ts';
import { problemError } from './problems.ts';
import * as store from './store.ts';

/** Per network. High enough for an office behind one IP address. */
export const maxOidcSignInsPerHour = 300;

/** How long a person has to sign in at the provider. */
const requestSeconds = 600;

const randomText = () => randomBytes(32).toString('base64url');
const randomPattern = /^[\w-]{43}$/;
const hashText = (text: string) => hash('sha256', text, 'buffer');

/**
 * Starts a sign-in, or the linking of an identity to the account `userId`. Only this browser can finish it.
 * @returns the address at the provider
 * @throws 404 if the address of this site is unknown, 429 when throttled, 503 when the provider cannot be reached
 */
export async function startOidc(
  context: Context,
  client: OidcClient,
  { request, reply }: Exchange,
  userId: number | null = null,
): Promise<string> {
  const { db, now } = context;
  const redirectUri = getCallbackUrl(context, client, request);
  const limitMessage = signInProblems.throttled;
  await recordUse(
    db,
    { key: `oidc:${getClientNetwork(request)}`, maxPerHour: maxOidcSignInsPerHour, limitMessage },
    now(),
  );
  const checks = { state: randomText(), nonce: randomText(), codeVerifier: randomText() };
  const url = await client.buildUrl(checks, redirectUri);
  const { name, options } = describeCookie(request, 'oidc');
  // Other tabs may have started a sign-in too.
  const known = request.cookies[name] ?? '';
  const browser = randomPattern.test(known) ? known : randomText();
  reply.setCookie(name, browser, { ...options, maxAge: requestSeconds });
  await store.insertRequest(db, {
    state_hash: hashText(checks.state),
    browser_hash: hashText(browser),
    provider: client.settings.id,
    nonce: checks.nonce,
    code_verifier: checks.codeVerifier,
    user_id: userId,
    expires_at: new Date(now().getTime() + requestSeconds * 1000),
  });
  return url;
}

/**
 * Finishes what `startOidc` started: signs in, or links the identity to the account that started and is still signed
 * in.
 * @throws an error of `problemError`, and what `signIn` throws
 */
export async function finishOidc(
  context: Context,
  client: OidcClient,
  { request, reply }: Exchange,
): Promise<'signed-in' | 'linked'> {
  const { db, now } = context;
  const callbackUrl = getCallbackUrl(context, client, request);
  const url = new URL(request.url, callbackUrl);
  const state = url.searchParams.get('state') ?? '';
  const started = await store.takeRequest(db, {
    stateHash: hashText(state),
    browserHash: hashText(request.cookies[describeCookie(request, 'oidc').name] ?? ''),
    provider: client.settings.id,
    now: now(),
  });
  if (!started || (started.userId !== null && started.userId !== request.identity?.id)) throw problemError('expired');
  const identity = await client.finish(url, { ...started, state });
  if (started.userId !== null) {
    await linkIdentity(context, client, { userId: started.userId, identity, request });
    return 'linked';
  }
  const isKnown = await store.findAccountByIdentity(db, identity.issuer, identity.subject);
  if (!isKnown && client.settings.autoRegister) await recordRegistration(db, getClientNetwork(request), now());
  await signIn(context, { request, reply }, 'signed-in-oidc', async (trx) => {
    const account = await findOrCreateAccount({ ...context, db: trx }, client, identity, request);
    if (account.disabledAt) throw problemError('disabled');
    return await updateRights({ ...context, db: trx }, client, { account, identity, request });
  });
  return 'signed-in';
}

function getCallbackUrl({ config }: Context, { settings }: OidcClient, request: FastifyRequest): string {
  const origin = getPublishedOrigin(request, config);
  if (!origin) throw new HttpError(404, 'not_found', 'Signing in with a provider works after PUBLIC_URL is set.');
  return `${origin}/api/auth/oidc/${settings.id}/callback`;
}

const maxAttempts = 6;

/**
 * The account of an identity. Creates it at the first sign-in, if the settings allow that. An existing account with the
 * same email address is never joined here, even if the provider has verified the address: its owner links the identity
 * after signing in.
 */
async function findOrCreateAccount(
  context: Context,
  { settings }: OidcClient,
  identity: OidcIdentity,
  request: FastifyRequest,
): Promise<AccountRow> {
  const { db: trx, config, now } = context;
  const { issuer, subject, email } = identity;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const known = await store.findAccountByIdentity(trx, issuer, subject);
    if (known) return known;
    if (email === undefined) throw problemError(settings.autoRegister ? 'no-email' : 'no-account');
    if (await findAccountByEmail(trx, email)) {
      // A concurrent sign-in may have created it after the first lookup.
      const created = await store.findAccountByIdentity(trx, issuer, subject);
      if (created) return created;
      throw problemError('email-taken');
    }
    if (!settings.autoRegister) throw problemError('no-account');
    const [preferred = ''] = (identity.username ?? email).split('@');
    const username = generateUsername(preferred, attempt);
    const added = await insertAccountIfFree(trx, {
      email,
      isEmailConfirmed: identity.isEmailVerified || config.mail === undefined,
      username,
      displayName: identity.displayName ?? username,
      passwordHash: null,
      isAdmin: false,
    });
    if (!added) continue;
    await store.insertIdentity(trx, { userId: added.id, issuer, subject });
    await recordAccountEvent(trx, request, { userId: added.id, kind: 'account-created', now: now() });
    if (!added.isEmailConfirmed && (await tryUse(trx, toAddressLimit(email), now())))
      await requestConfirmation(context, trx, added.id, email);
    return added;
  }
  throw new Error('Could not find a free username for a new account.');
}

/**
 * Makes the account an admin, or takes that away, as the groups of the identity say. The last admin stays one, because
 * the setup link works while there is none.
 */
async function updateRights(
  { db: trx, now, log }: Context,
  { settings }: OidcClient,
  { account, identity, request }: { account: AccountRow; identity: OidcIdentity; request: FastifyRequest },
): Promise<AccountRow> {
  if (settings.adminGroup === undefined) return account;
  const isAdmin = identity.groups.includes(settings.adminGroup);
  const { id, username } = account;
  if (account.isAdmin === isAdmin) return account;
  const admins = await lockAdmins(trx);
  if (!isAdmin && admins.every((admin) => admin === id)) {
    log.warn({ username, provider: settings.id }, 'the last admin stays one, although the provider says otherwise');
    return account;
  }
  const event = {
    user: { id, username, isAdmin },
    event: isAdmin ? 'Made an admin' : 'Removed an admin',
    details: { id, username, provider: settings.name },
    address: getClientAddress(request),
  };
  await recordAuditEvent(trx, event, now());
  return (await updateIsAdmin(trx, id, isAdmin)) ?? account;
}

async function linkIdentity(
  { db, now }: Context,
  { settings }: OidcClient,
  { userId, identity, request }: { userId: number; identity: OidcIdentity; request: FastifyRequest },
): Promise<void> {
  const { issuer, subject } = identity;
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId);
    const isAdded = await store.insertIdentity(trx, { userId, issuer, subject });
    if (isAdded) {
      await recordAccountEvent(trx, request, { userId, kind: 'oidc-linked', subject: settings.name, now: now() });
      return;
    }
    const owner = await store.findAccountByIdentity(trx, issuer, subject);
    if (owner?.id !== userId) throw problemError('linked-elsewhere');
  });
}

/** The identities that can sign in to an account. */
export async function listLinkedIdentities(
  { config, db }: Pick<Context, 'config' | 'db'>,
  userId: number,
): Promise<LinkedIdentity[]> {
  const rows = await store.listIdentities(db, userId);
  return rows.map(({ id, issuer, createdAt }) => {
    const settings = config.oidc.find((known) => new URL(known.issuer).href === new URL(issuer).href);
    return {
      id,
      provider: settings?.id ?? null,
      name: settings?.name ?? new URL(issuer).host,
      linkedAt: createdAt.toISOString(),
    };
  });
}

/** @throws 404 for an identity that is not the user's, 409 for the only way to sign in */
export async function unlinkIdentity(
  { config, db, now }: Pick<Context, 'config' | 'db' | 'now'>,
  userId: number,
  { id, request }: { id: number; request: FastifyRequest },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId);
    const { passwordHash, firebaseUid } = await getAccount(trx, userId);
    const identities = await listLinkedIdentities({ config, db: trx }, userId);
    const identity = identities.find((known) => known.id === id);
    if (!identity) throw notFound('identity', id);
    const others = [
      config.localSignIn && passwordHash !== null,
      config.firebase !== undefined && firebaseUid !== null,
      identities.some((other) => other.id !== id && other.provider !== null),
    ];
    if (!others.includes(true)) throw conflict('This is your only way to sign in. Set a password first.');
    await store.deleteIdentity(trx, userId, id);
    await recordAccountEvent(trx, request, { userId, kind: 'oidc-unlinked', subject: identity.name, now: now() });
  });
}
