import type { Check } from './checks.ts';
import type { ErrorBody, ErrorCode } from './errors.ts';
import type { BulkAnswer, KeyUsage } from './key-checks.ts';

/** Made-up names under endings that belong to nobody (RFC 2606), and an address that belongs to documents (RFC 5737). */
export const exampleNames = {
  listed: 'links-for-sale.example',
  subdomain: 'blog.links-for-sale.example',
  unknown: 'clean.example',
  none: '192.0.2.1',
} as const;

const checkedAt = '2026-11-21T09:30:00.000Z';

export const listedCheck: Check = {
  domain: exampleNames.subdomain,
  listed: true,
  matchedDomain: exampleNames.listed,
  riskLevel: 'medium',
  sourceCount: 3,
  niche: 'Health',
  dateAdded: '2026-01-05T08:12:44.000Z',
  lastUpdated: '2026-11-02T03:00:10.000Z',
  checkedAt,
};

export const unknownCheck: Check = {
  domain: exampleNames.unknown,
  listed: false,
  matchedDomain: null,
  riskLevel: null,
  sourceCount: null,
  niche: null,
  dateAdded: null,
  lastUpdated: null,
  checkedAt,
};

/** What is asked in bulk, and what that is answered with. */
export const bulkQuestion = { domains: [exampleNames.subdomain, exampleNames.unknown, exampleNames.none] };

export const noDomain = { domain: exampleNames.none, error: 'An IP address is not a domain.' };

export const bulkAnswer: BulkAnswer = {
  results: [listedCheck, unknownCheck, noDomain],
  listed: 1,
  total: 3,
};

export const keyUsage: KeyUsage = {
  name: 'Our crawler',
  dailyLimit: 1000,
  dailyUsage: 42,
  remaining: 958,
  resetAt: '2026-11-22T00:00:00.000Z',
  usageCount: 12_345,
  lastUsed: checkedAt,
};

export function errorExample(code: ErrorCode, error: string, fields?: Record<string, string>): ErrorBody {
  return { error, code, requestId: '0b9f6f1e-5d0c-4a57-9d8e-3c1f2f6f0a11', ...(fields && { fields }) };
}
