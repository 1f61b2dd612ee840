import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { idParams } from './page.ts';
import { ReportSummary } from './reports.ts';

export const duplicateProfile = 'This domain already exists in the system. Please try a different domain.';

export const Profile = z.object({
  id: z.number(),
  domain: z.string(),
  description: z.nullable(z.string()),
  dateAdded: z.string(),
  /** The newest report, for cards. */
  lastReport: z.nullable(ReportSummary),
  reportCount: z.number(),
});
export type Profile = z.infer<typeof Profile>;

export const ProfileInput = z.object({
  domain: z
    .string()
    .check(z.trim(), z.minLength(1, 'Please enter a domain name for your website profile'), z.maxLength(2048)),
  description: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(500)))),
  firebaseUid: z.optional(z.nullable(z.string())),
  userId: z.optional(z.nullable(z.union([z.string(), z.number()]))),
});

export const listProfiles = endpoint({
  method: 'GET',
  path: '/api/profiles',
  access: 'user',
  summary: 'My websites',
  query: z.object({ firebaseUid: z.optional(z.string()), userId: z.optional(z.string()) }),
  responses: { 200: z.array(Profile) },
});

export const addProfile = endpoint({
  method: 'POST',
  path: '/api/profiles',
  access: 'user',
  summary: 'Add one of my websites',
  body: ProfileInput,
  responses: { 201: Profile },
});

export const deleteProfile = endpoint({
  method: 'DELETE',
  path: '/api/profiles/:id',
  access: 'user',
  summary: 'Delete one of my websites and its reports',
  params: idParams,
});
