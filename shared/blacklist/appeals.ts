import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';
import { optionalText, text } from '../platform/text.ts';

/** In characters. */
export const appealLimits = { message: 5000, statement: 2000, reason: 500 } as const;

/** How the owner proves control of a domain: a TXT record, or a file on its web server. */
export const proofs = ['dns', 'file'] as const;
export const Proof = z.enum(proofs);
export type Proof = z.infer<typeof Proof>;

/** Unverified until the proof is found, verified until an admin decides, then delisted or kept on the blacklist. */
const appealStates = ['unverified', 'verified', 'delisted', 'kept'] as const;
export const AppealState = z.enum(appealStates);
export type AppealState = z.infer<typeof AppealState>;

/** An owner's appeal against the listing of a domain, as its author sees it. Dates are ISO 8601. */
export const Appeal = z.object({
  id: z.number(),
  domain: z.string(),
  message: z.string(),
  /** What the owner wants to say on the domain's page. */
  statement: z.nullable(z.string()),
  proof: Proof,
  /** The text of the TXT record or of the file. */
  token: z.string(),
  state: AppealState,
  /** Whether everyone sees the statement. */
  statementPublished: z.boolean(),
  /** Why an admin decided so. */
  reason: z.nullable(z.string()),
  dateCreated: z.string(),
  dateVerified: z.nullable(z.string()),
  dateDecided: z.nullable(z.string()),
});
export type Appeal = z.infer<typeof Appeal>;

/** The record that contains the token of a proof by `dns`. */
export const proofRecordName = (domain: string) => `_linksieve.${domain}`;
/** The file that contains the token of a proof by `file`. */
export const proofFileUrl = (domain: string) => `https://${domain}/.well-known/linksieve.txt`;

const nameParams = z.object({ name: z.string().check(z.maxLength(2048)) });
const appealParams = z.extend(nameParams, idParams.shape);

const basePath = '/api/domains/by-name/:name/appeals';

export const AppealInput = z.object({
  message: text({
    min: 1,
    max: appealLimits.message,
    tooShort: 'Please say why the listing is wrong',
    tooLong: `Message must be at most ${appealLimits.message} characters`,
  }),
  statement: optionalText(appealLimits.statement, `Statement must be at most ${appealLimits.statement} characters`),
  proof: Proof,
});
export type AppealInput = z.infer<typeof AppealInput>;

export const createAppeal = endpoint({
  method: 'POST',
  path: basePath,
  access: 'user',
  summary: 'Appeal the listing of your own domain',
  params: nameParams,
  body: AppealInput,
  responses: { 201: Appeal },
});

export const listOwnAppeals = endpoint({
  method: 'GET',
  path: basePath,
  access: 'user',
  summary: "List the signed-in user's appeals for a domain, newest first",
  params: nameParams,
  responses: { 200: z.array(Appeal) },
});

export const Verification = z.object({
  state: AppealState,
  verified: z.boolean(),
  /** The record or the URL that was read. */
  lookedAt: z.string(),
  /** What it contains. Empty if it does not exist or could not be read. */
  found: z.array(z.string()),
  /** The result in words. */
  message: z.string(),
});
export type Verification = z.infer<typeof Verification>;

export const verifyAppeal = endpoint({
  method: 'POST',
  path: `${basePath}/:id/verify`,
  access: 'user',
  summary: 'Look for the proof of an appeal. If it is found, the appeal goes to the admin inbox',
  params: appealParams,
  responses: { 200: Verification },
});

export const withdrawAppeal = endpoint({
  method: 'DELETE',
  path: `${basePath}/:id`,
  access: 'user',
  summary: 'Delete an appeal that is not verified yet',
  params: appealParams,
});

/** An appeal with the details that only admins see. */
export const AdminAppeal = z.extend(z.omit(Appeal, { token: true }), {
  /** The owner's username; null if the account was deleted. */
  username: z.nullable(z.string()),
  /** Which of the domain and its parents are listed, the domain first. */
  listedNames: z.array(z.string()),
  /** The admin's username; null while undecided, or if the account was deleted. */
  decidedBy: z.nullable(z.string()),
});
export type AdminAppeal = z.infer<typeof AdminAppeal>;

export const getAppeal = endpoint({
  method: 'GET',
  path: '/api/admin/appeals/:id',
  access: 'admin',
  summary: 'Get an appeal',
  params: idParams,
  responses: { 200: AdminAppeal },
});

export const AppealDecision = z.object({
  decision: z.enum(['delist', 'keep']),
  /**
   * What to delist: the domain, or parents of it with all their subdomains. Proof of a subdomain does not prove its
   * parents. Default: only the domain, and nothing if this appeal has delisted it before.
   */
  names: z.optional(z.array(z.string().check(z.maxLength(253))).check(z.minLength(1), z.maxLength(130))),
  publishStatement: z._default(z.boolean(), false),
  reason: text({
    min: 1,
    max: appealLimits.reason,
    tooShort: 'Please enter a reason. The owner reads it',
    tooLong: `The reason must be at most ${appealLimits.reason} characters`,
  }),
});
export type AppealDecision = z.infer<typeof AppealDecision>;

export const decideAppeal = endpoint({
  method: 'POST',
  path: '/api/admin/appeals/:id',
  access: 'admin',
  summary: 'Decide on a verified appeal: delist the domain or keep it, and publish the statement or not',
  auditEvent: 'Decided on an appeal',
  params: idParams,
  body: AppealDecision,
  responses: { 200: AdminAppeal },
});
