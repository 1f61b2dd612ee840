import * as z from 'zod/mini';
import { User } from './accounts.ts';
import { endpoint } from './endpoint.ts';

const IdToken = z.string().check(z.minLength(1), z.maxLength(8192));

export const signInWithGoogle = endpoint({
  method: 'POST',
  path: '/api/auth/firebase',
  access: 'public',
  summary: 'Sign in with an ID token of the identity provider; the account is made on first sight',
  body: z.object({ idToken: IdToken }),
  responses: { 200: User },
});

/** Answers the `password_needed` of a sign-in. */
export const linkGoogle = endpoint({
  method: 'POST',
  path: '/api/auth/firebase/link',
  access: 'public',
  summary: 'Join a Google identity with the password account of the same address, and sign in',
  body: z.object({ idToken: IdToken, password: z.string().check(z.minLength(1), z.maxLength(1024)) }),
  responses: { 200: User },
});

const FirebaseUid = z.string().check(z.minLength(1), z.maxLength(128));

export const findGoogleUser = endpoint({
  method: 'GET',
  path: '/api/users/firebase/:uid',
  access: 'public',
  summary:
    "My account by my uid at the identity provider; proven by a session or by 'Authorization: Bearer' with an ID token",
  params: z.object({ uid: FirebaseUid }),
  responses: { 200: User },
});

/** Of what older clients send only the uid and the wish for a username count: the rest is read from the proof. */
export const createGoogleUser = endpoint({
  method: 'POST',
  path: '/api/users',
  access: 'public',
  summary: "Make my account on first sight; proven by a session or by 'Authorization: Bearer' with an ID token",
  body: z.object({ firebaseUid: FirebaseUid, username: z.optional(z.string()) }),
  responses: { 201: User },
});
