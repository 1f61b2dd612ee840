import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { User } from './accounts.ts';

/** How long a browser can be remembered, so that signing in there needs no code, in days. */
export const rememberedDays = 30;

/** A one-time code, or a recovery code. Spaces and hyphens do not matter. */
const code = z.string().check(z.trim(), z.minLength(1, 'Please enter a code'), z.maxLength(64));

/** The second step of any sign-in that fails with the code `second_factor_required`. */
export const SecondFactorLogin = z.object({
  /** The `challenge` of that error. It is valid for 10 minutes. */
  challenge: z.string().check(z.minLength(1), z.maxLength(200)),
  code,
  rememberDevice: z._default(z.boolean(), false),
});
export type SecondFactorLogin = z.infer<typeof SecondFactorLogin>;

export const logInWithSecondFactor = endpoint({
  method: 'POST',
  path: '/api/auth/login/second-factor',
  access: 'public',
  summary: 'Complete a sign-in with a one-time code or a recovery code',
  worksOnFullDisk: true,
  body: SecondFactorLogin,
  responses: { 200: User },
});

/** The secret in base32, to type it, and as the `otpauth:` URL of a QR code. */
export const SecondFactorSetup = z.object({ secret: z.string(), url: z.string() });
export type SecondFactorSetup = z.infer<typeof SecondFactorSetup>;

export const startSecondFactor = endpoint({
  method: 'POST',
  path: '/api/account/second-factor',
  access: 'user',
  summary: 'Create the secret for my authenticator app; it has no effect until its first code is confirmed',
  worksOnFullDisk: true,
  beforeSecondFactor: true,
  needsProof: true,
  responses: { 200: SecondFactorSetup },
});

/** Shown once: only hashes are stored. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: '/api/account/second-factor/confirm',
  access: 'user',
  summary: 'Turn on two-factor authentication with the first code of my authenticator app',
  worksOnFullDisk: true,
  beforeSecondFactor: true,
  needsProof: true,
  body: z.object({ code }),
  responses: { 200: RecoveryCodes },
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/account/second-factor/recovery-codes',
  access: 'user',
  summary: 'Replace my recovery codes',
  needsProof: true,
  responses: { 200: RecoveryCodes },
});

export const turnOffSecondFactor = endpoint({
  method: 'DELETE',
  path: '/api/account/second-factor',
  access: 'user',
  summary: 'Turn off two-factor authentication',
  needsProof: true,
});

/** The password, and a one-time code or recovery code if two-factor authentication is on. */
export const Reauthentication = z.object({
  password: z.optional(z.string().check(z.maxLength(1024))),
  code: z.optional(code),
});
export type Reauthentication = z.infer<typeof Reauthentication>;

/** The next call after one that failed with the code `reauthentication_required`. */
export const reauthenticate = endpoint({
  method: 'POST',
  path: '/api/account/reauthenticate',
  access: 'user',
  summary: 'Confirm that it is me, for dangerous actions of this session within the next 15 minutes',
  worksOnFullDisk: true,
  beforeSecondFactor: true,
  body: Reauthentication,
});

/** Before a download that the browser starts itself, so that it does not save an error as a file. */
export const checkProof = endpoint({
  method: 'GET',
  path: '/api/account/proof',
  access: 'user',
  summary: 'Check that I have confirmed my identity within the last 15 minutes',
  needsProof: true,
});

export const reauthenticateWithGoogle = endpoint({
  method: 'POST',
  path: '/api/account/reauthenticate/firebase',
  access: 'user',
  summary: 'Confirm that it is me with an ID token of the identity provider',
  worksOnFullDisk: true,
  beforeSecondFactor: true,
  body: z.object({ idToken: z.string().check(z.minLength(1), z.maxLength(8192)) }),
});
