import { generateKeyPairSync } from 'node:crypto';
import type Provider from 'oidc-provider';
import type { Configuration } from 'oidc-provider';
import { apiKeyScopes } from '#shared/accounts/api-key-scopes.ts';
import type { Context } from '../../../context.ts';
import { deriveKey, listKeys } from '../../../platform/db/secret-key.ts';
import { createAdapterFactory } from './adapter.ts';
import { isActiveUser } from './store.ts';

const minute = 60;
const day = 86_400;

/** How long a user has to decide about a request. */
export const requestSeconds = 10 * minute;
/** A connection ends after this long without use. */
const refreshSeconds = 90 * day;
/** After this long, an assistant must ask again. */
const grantSeconds = 365 * day;

export const oauthPaths = {
  authorization: '/api/oauth/authorize',
  token: '/api/oauth/token',
  registration: '/api/oauth/register',
  revocation: '/api/oauth/revoke',
} as const;

export const siteMetadataPath = '/.well-known/oauth-protected-resource';
/** The document that tells assistants where to ask for access. */
export const resourceMetadataPath = `${siteMetadataPath}/mcp`;

/** The resource that access tokens are for. */
export const toResource = (origin: string): string => `${origin}/mcp`;

const cookieNames = { session: 'oauth_session', interaction: 'oauth_request', resume: 'oauth_resume' };

/** What is fixed for every program that registers itself: it has no secret, and PKCE proves that a code is its own. */
export const clientDefaults = {
  // Allows no plain HTTP, except to the user's own computer.
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  id_token_signed_response_alg: 'ES256',
} as const;

const providers = new WeakMap<Context, Map<string, Promise<Provider>>>();

/** Without PUBLIC_URL, this machine has a few addresses. */
const maxOrigins = 10;

/** Returns the provider for an address of the site, which is the issuer of its tokens. */
export function getProvider(context: Context, origin: string): Promise<Provider> {
  const known = providers.get(context) ?? new Map<string, Promise<Provider>>();
  providers.set(context, known);
  const found = known.get(origin) ?? createProvider(context, origin);
  if (known.size >= maxOrigins) known.clear();
  known.set(origin, found);
  return found;
}

async function createProvider(context: Context, origin: string): Promise<Provider> {
  // Only few requests need the library, so other processes and commands do not load it.
  const { default: OidcProvider, errors, interactionPolicy } = await import('oidc-provider');
  const { Check, Prompt } = interactionPolicy;
  const resource = toResource(origin);
  const policy = [
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('not_allowed', 'the user has not allowed the request', (ctx) => ctx.oidc.result?.consent === undefined),
    ),
  ];
  const configuration: Configuration = {
    adapter: createAdapterFactory(context, errors),
    clientAuthMethods: ['none'],
    clientDefaults: { ...clientDefaults, grant_types: [...clientDefaults.grant_types], response_types: ['code'] },
    cookies: {
      keys: listKeys(context.secretKey).map((key) => deriveKey(key, 'oauth requests')),
      names: cookieNames,
      long: { httpOnly: true, sameSite: 'lax', path: oauthPaths.authorization },
      short: { httpOnly: true, sameSite: 'lax', path: '/' },
    },
    expiresWithSession: async () => false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, requested) => {
          if (requested !== resource) throw new errors.InvalidTarget(`the resource of this server is ${resource}`);
          return { scope: apiKeyScopes.join(' '), accessTokenFormat: 'opaque' };
        },
      },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    findAccount: async (_ctx, id) =>
      (await isActiveUser(context.db, Number(id))) ? { accountId: id, claims: async () => ({ sub: id }) } : undefined,
    interactions: { policy, url: async (_ctx, { uid }) => `/connect?request=${uid}` },
    issueRefreshToken: async () => true,
    // The library needs a key, but only tokens of OpenID Connect are signed, and there are none.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    pkce: { required: () => true },
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    responseTypes: ['code'],
    rotateRefreshToken: true,
    routes: oauthPaths,
    scopes: [],
    ttl: {
      AccessToken: 60 * minute,
      AuthorizationCode: minute,
      Grant: grantSeconds,
      Interaction: requestSeconds,
      RefreshToken: refreshSeconds,
      Session: minute,
    },
  };
  const provider = new OidcProvider(origin, configuration);
  provider.proxy = true;
  // The session of the library, which is not stored.
  provider.use(async (ctx, next) => {
    await next();
    const cookies = [ctx.response.headers['set-cookie'] ?? []].flat();
    ctx.remove('set-cookie');
    for (const cookie of cookies) if (!cookie.startsWith(cookieNames.session)) ctx.append('set-cookie', cookie);
  });
  // Anyone can register a program, so this address would lead to any other. Only a user who has decided goes there.
  provider.use(async (ctx, next) => {
    await next();
    const location = ctx.path === oauthPaths.authorization ? URL.parse(ctx.response.get('location'), origin) : null;
    if (location === null || location.origin === origin) return;
    ctx.remove('location');
    ctx.status = 400;
    ctx.body = Object.fromEntries(location.searchParams);
  });
  const logError = (error: unknown) => context.log.error({ err: error }, 'a request of OAuth failed');
  provider.on('server_error', (_ctx, error) => logError(error));
  provider.onerror = logError;
  return provider;
}
