import type { Configuration, CustomFetch } from 'openid-client';
import * as z from 'zod/mini';
import { EmailAddress } from '#shared/platform/email-address.ts';
import type { OidcConfig } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import { createOutbound, type Outbound, OutboundError, readBody } from '../../../platform/net/outbound.ts';
import { problemError } from './problems.ts';

/** A person at a provider, as described by a verified ID token. */
export interface OidcIdentity {
  issuer: string;
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  displayName: string | null;
  /** The name that the provider suggests, which may be an email address. */
  username: string | undefined;
  groups: readonly string[];
}

/** What ties a response of the provider to the request that it answers. */
export interface OidcChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface OidcClient {
  settings: OidcConfig;
  /** Returns the address at the provider where a sign-in starts. @throws 503 */
  buildUrl(checks: OidcChecks, redirectUri: string): Promise<string>;
  /**
   * Exchanges the code in the address of a callback, and verifies the ID token: its signature, issuer, audience, times
   * and nonce.
   * @throws 401 when the provider refused or sent anything invalid, 503 when it cannot be reached
   */
  finish(callbackUrl: URL, checks: OidcChecks): Promise<OidcIdentity>;
}

const metadataMaxAgeMs = 3_600_000;
const maxResponseBytes = 1_000_000;
const timeoutMs = 10_000;

/** Only few requests need the library, so other processes and commands do not load it. */
const loadLibrary = () => import('openid-client');

/** Returns the providers of the settings, by their ids. */
export function createOidcClients({ config, outbound, log }: Context): ReadonlyMap<string, OidcClient> {
  // The operator has chosen the issuer, which may be in a private network: see docs/decisions/0054.
  const fetch = toFetch(createOutbound({ ...outbound.options, allowPrivate: true }));
  return new Map(config.oidc.map((settings) => [settings.id, createClient(settings, fetch, log)]));
}

function createClient(settings: OidcConfig, fetch: CustomFetch, log: Context['log']): OidcClient {
  let known: { configuration: Promise<Configuration>; until: number } | undefined;

  function getConfiguration(): Promise<Configuration> {
    if (known && known.until > Date.now()) return known.configuration;
    const configuration = discover(settings, fetch);
    const latest = { configuration, until: Date.now() + metadataMaxAgeMs };
    known = latest;
    configuration.catch(() => {
      if (known === latest) known = undefined;
    });
    return configuration;
  }

  /** The log says why. The messages of the library contain no token. */
  function toProblem(error: unknown) {
    const isUnreachable = hasCause(error, OutboundError);
    const reason = error instanceof Error ? { name: error.name, message: error.message } : {};
    const response = error instanceof Error && 'error' in error ? { response: error.error } : {};
    log.warn({ provider: settings.id, ...reason, ...response }, 'a provider did not sign a user in');
    return problemError(isUnreachable ? 'unavailable' : 'refused');
  }

  return {
    settings,

    async buildUrl({ state, nonce, codeVerifier }, redirectUri) {
      const library = await loadLibrary();
      try {
        const configuration = await getConfiguration();
        const offersGroups = configuration.serverMetadata().scopes_supported?.includes('groups');
        const url = library.buildAuthorizationUrl(configuration, {
          response_type: 'code',
          redirect_uri: redirectUri,
          scope: `openid email profile${settings.adminGroup && offersGroups ? ' groups' : ''}`,
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        });
        return url.href;
      } catch (error) {
        toProblem(error);
        // Nobody has been asked yet, so nobody has refused.
        throw problemError('unavailable');
      }
    },

    async finish(callbackUrl, { state, nonce, codeVerifier }) {
      const library = await loadLibrary();
      try {
        const configuration = await getConfiguration();
        const tokens = await library.authorizationCodeGrant(configuration, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (!idToken) throw new Error('The provider sent no ID token.');
        const isComplete = idToken.email !== undefined && (!settings.adminGroup || idToken.groups !== undefined);
        const userInfo =
          isComplete || !configuration.serverMetadata().userinfo_endpoint
            ? {}
            : await library.fetchUserInfo(configuration, tokens.access_token, idToken.sub);
        return toIdentity(idToken, userInfo);
      } catch (error) {
        throw toProblem(error);
      }
    },
  };
}

async function discover(settings: OidcConfig, fetch: CustomFetch): Promise<Configuration> {
  const library = await loadLibrary();
  const { issuer, clientId, clientSecret } = settings;
  const [basic, post] = [library.ClientSecretBasic(clientSecret), library.ClientSecretPost(clientSecret)];
  return await library.discovery(
    new URL(issuer),
    clientId,
    {},
    (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
    },
    {
      [library.customFetch]: fetch,
      execute: [
        // Without it, the library trusts TLS instead of the signature.
        library.enableNonRepudiationChecks,
        ...(issuer.startsWith('http:') ? [library.allowInsecureRequests] : []),
      ],
    },
  );
}

/** Sends the requests of the library with our limits, and without following redirects. */
const toFetch =
  (outbound: Outbound): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const options = { maxBytes: maxResponseBytes, timeoutMs, headers, ...(signal && { signal }) };
    const response =
      method === 'POST'
        ? await outbound.post(url, { ...options, body: body instanceof URLSearchParams ? body.toString() : '' })
        : await outbound.get(url, { ...options, allowRedirect: () => false });
    const text = await readBody(response);
    const found = Object.entries(response.headers).filter(([, value]) => value !== undefined);
    return new Response(text || null, {
      status: response.status,
      headers: found.map(([name, value]): [string, string] => [name, [value].flat().join(', ')]),
    });
  };

const hasCause = (error: unknown, kind: typeof OutboundError): boolean =>
  error instanceof kind || (error instanceof Error && hasCause(error.cause, kind));

const shortText = z.catch(z.optional(z.string().check(z.trim(), z.maxLength(200))), undefined);

const Claims = z.object({
  email: z.catch(z.optional(EmailAddress), undefined),
  email_verified: z.catch(z.optional(z.boolean()), undefined),
  name: shortText,
  preferred_username: shortText,
  groups: z.catch(z.optional(z.array(z.string())), undefined),
});

function toIdentity(idToken: { iss: string; sub: string }, userInfo: object): OidcIdentity {
  const [own, more] = [z.parse(Claims, idToken), z.parse(Claims, userInfo)];
  // An address and whether it is verified come from the same document.
  const { email, email_verified: isVerified } = own.email === undefined ? more : own;
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email,
    isEmailVerified: isVerified === true,
    displayName: (own.name ?? more.name)?.slice(0, 100) || null,
    username: own.preferred_username ?? more.preferred_username,
    groups: own.groups ?? more.groups ?? [],
  };
}
