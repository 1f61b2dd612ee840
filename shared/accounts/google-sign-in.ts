import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { User } from './accounts.ts';

const IdToken = z.string().check(z.minLength(1), z.maxLength(8192));

export const signInWithGoogle = endpoint({
  method: 'POST',
  path: '/api/auth/firebase',
  access: 'public',
  summary: 'Sign in with an ID token of the identity provider, creating the account if needed',
  worksOnFullDisk: true,
  body: z.object({ idToken: IdToken }),
  responses: { 200: User },
});

/** The next call after a sign-in failed with the code `password_needed`. */
export const linkGoogle = endpoint({
  method: 'POST',
  path: '/api/auth/firebase/link',
  access: 'public',
  summary: 'Link a Google account to the password account with the same email address, and sign in',
  worksOnFullDisk: true,
  body: z.object({ idToken: IdToken, password: z.string().check(z.minLength(1), z.maxLength(1024)) }),
  responses: { 200: User },
});

const FirebaseUid = z.string().check(z.minLength(1), z.maxLength(128));

export const findGoogleUser = endpoint({
  method: 'GET',
  path: '/api/users/firebase/:uid',
  access: 'public',
  summary: "Get my account by my identity provider uid; requires a session or an ID token in 'Authorization: Bearer'",
  params: z.object({ uid: FirebaseUid }),
  responses: { 200: User },
});

/** Older clients also send an email and a name. They are ignored: the values of the ID token are used instead. */
export const createGoogleUser = endpoint({
  method: 'POST',
  path: '/api/users',
  access: 'public',
  summary: "Create my account if needed; requires a session or an ID token in 'Authorization: Bearer'",
  body: z.object({ firebaseUid: FirebaseUid, username: z.optional(z.string()) }),
  responses: { 201: User },
});
