import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';

/** Why a provider could not sign someone in, and what the screen says. */
export const signInProblems = {
  expired: 'This sign-in has expired or was already used. Please try again.',
  refused: 'The provider did not confirm who you are. Please try again.',
  unavailable: 'The provider cannot be reached right now. Please try again in a moment.',
  throttled: 'Too many sign-ins from this network. Please wait a while and try again.',
  'no-email': 'The provider did not send a valid email address. Please contact the operator of this site.',
  'email-taken':
    'You already have an account with this email address. Sign in to it, and link the provider in My Account, under Security.',
  'no-account': 'There is no account for you, and this site does not create one when you sign in. Please ask an admin.',
  disabled: 'This account has been disabled. Please contact us if you think that is a mistake.',
  'linked-elsewhere': 'This identity is linked to another account.',
} as const;
export type SignInProblem = keyof typeof signInProblems;
export const signInProblemNames = Object.keys(signInProblems) as [SignInProblem, ...SignInProblem[]];

const provider = z.object({ provider: z.string().check(z.maxLength(100)) });

/** Browsers open it. It is no call of a script. */
export const startOidcSignIn = endpoint({
  method: 'GET',
  path: '/api/auth/oidc/:provider/start',
  access: 'public',
  summary: 'Go to a provider of OpenID Connect to sign in',
  changes: true,
  // A portal of the firm may link to it.
  crossSite: true,
  worksOnFullDisk: true,
  params: provider,
});

/** Where the provider sends the browser back to. It changes nothing without the cookie of the browser that started. */
export const finishOidcSignIn = endpoint({
  method: 'GET',
  path: '/api/auth/oidc/:provider/callback',
  access: 'public',
  summary: 'Finish a sign-in with a provider of OpenID Connect',
  changes: true,
  crossSite: true,
  worksOnFullDisk: true,
  params: provider,
});

export const linkOidcProvider = endpoint({
  method: 'POST',
  path: '/api/account/identities/:provider',
  access: 'user',
  summary: 'Get the address of a provider where I prove the identity to link to my account',
  worksOnFullDisk: true,
  needsProof: true,
  params: provider,
  responses: { 200: z.object({ url: z.string() }) },
});

/** An identity at a provider that can sign in to an account. */
export const LinkedIdentity = z.object({
  id: z.number(),
  /** The provider in paths; null if it is no longer set up. */
  provider: z.nullable(z.string()),
  name: z.string(),
  linkedAt: z.string(),
});
export type LinkedIdentity = z.infer<typeof LinkedIdentity>;

export const unlinkIdentity = endpoint({
  method: 'DELETE',
  path: '/api/account/identities/:id',
  access: 'user',
  summary: 'Unlink an identity from my account, unless it is my only way to sign in',
  needsProof: true,
  params: idParams,
});
