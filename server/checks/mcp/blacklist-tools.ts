import * as z from 'zod';
import { sourceKinds } from '#shared/blacklist/choices.ts';
import type { Listing, SourceKind } from '#shared/blacklist/sources.ts';
import { maxQueryLength } from '#shared/checks/checks.ts';
import { toDomainPage } from '#shared/checks/domain-page-path.ts';
import type { DomainVerdict } from '#shared/checks/domain-pages.ts';
import { maxBulkDomains } from '#shared/checks/key-checks.ts';
import { checkDomains as checkNames } from '../checks/checks.ts';
import { getDomainVerdict } from '../domain-pages/verdict.ts';
import { Confidence, RiskLevel } from './fields.ts';
import { countNoun, createTool } from './tool.ts';
import { toUntrustedText, UntrustedText, untrustedNote } from './untrusted.ts';

const Niche = z.object({ niche: UntrustedText.nullable() });

const CheckedDomain = z.object({
  domain: z.string(),
  listed: z.boolean(),
  matchedDomain: z.string().nullable().describe('The listed name that covers the domain: itself or a parent'),
  riskLevel: RiskLevel.nullable(),
  confidence: Confidence.nullable(),
  sourceCount: z.number().nullable(),
  independentSourceCount: z.number().nullable().describe('Sources that copy from each other count once'),
  dateAdded: z.string().nullable(),
  lastUpdated: z.string().nullable(),
  checkedAt: z.string(),
  untrusted: Niche,
});

const InvalidEntry = z.object({
  error: z.string().describe('Why the entry is not a domain'),
  untrusted: z.object({ entry: UntrustedText.nullable() }),
});

export const checkDomains = createTool({
  name: 'check_domains',
  title: 'Check domains',
  scope: 'check',
  description: `Check whether domains are on the blacklist of sites that sell backlinks. Accepts up to ${maxBulkDomains} domains or URLs, and returns one result for each, in the same order. Each domain costs one request of the daily quota of the API key. A domain that is not listed may still sell links. ${untrustedNote}`,
  input: z.strictObject({
    domains: z
      .array(z.string())
      .min(1, 'Send at least one domain.')
      .max(maxBulkDomains, `Send at most ${maxBulkDomains} domains per call.`)
      .describe('Domains such as example.com, or URLs'),
  }),
  output: z.object({
    results: z.array(z.union([CheckedDomain, InvalidEntry])),
    listed: z.number().describe('How many of the domains are listed'),
    total: z.number(),
  }),
  getCost: ({ domains }) => domains.length,
  async run({ context }, { domains }) {
    const checks = await checkNames(context, domains);
    const listed = checks.filter((check) => 'listed' in check && check.listed).length;
    const results = checks.map((check) => {
      if ('error' in check) return { error: check.error, untrusted: { entry: toUntrustedText(check.domain) } };
      const { niche, ...facts } = check;
      return { ...facts, untrusted: { niche: toUntrustedText(niche) } };
    });
    const invalid = results.filter((result) => 'error' in result).length;
    const notes = [
      `${listed} of ${countNoun(checks.length, 'entry', 'entries')} ${listed === 1 ? 'is' : 'are'} listed.`,
      ...(invalid > 0 ? [`${countNoun(invalid, 'entry is not a domain', 'entries are not domains')}.`] : []),
    ];
    const summary = notes.join(' ');
    return { summary, data: { results, listed, total: checks.length } };
  },
});

const kindNames: Record<SourceKind, string> = {
  inventory: "a seller's own offer",
  submission: 'a verified submission of a user',
  manual: 'an entry of an admin',
  disavow: 'a disavow file',
  list: 'a public blocklist',
};
const kindDescription = `What kind of source lists the domain, strongest evidence first. ${Object.entries(kindNames)
  .map(([kind, name]) => `${kind}: ${name}`)
  .join('; ')}`;

const ExplainedListing = z.object({
  kind: z.enum(sourceKinds).describe(kindDescription),
  family: z.number().nullable().describe('Listings with the same number copy from each other and count once'),
  firstSeen: z.string(),
  lastSeen: z.string(),
  withdrawnAt: z.string().nullable().describe('Null while the source lists the domain'),
  untrusted: z.object({
    source: UntrustedText.nullable().describe('Null if the name of the source is not public'),
    evidenceUrl: UntrustedText.nullable(),
    price: UntrustedText.nullable(),
    note: UntrustedText.nullable(),
  }),
});

const maxListings = 50;

export const explainListing = createTool({
  name: 'explain_listing',
  title: 'Explain a listing',
  scope: 'check',
  description: `Explain why a domain is on the blacklist: the sources and their kind of evidence, since when, the risk level, the confidence and how many sources are independent. Also returns the address of its public page. The facts are the same as on that page. A listing is not proof that a particular link was paid for. Costs one request. ${untrustedNote}`,
  input: z.strictObject({
    domain: z.string().min(1).max(maxQueryLength).describe('A domain such as example.com, or a URL'),
  }),
  output: z.object({
    domain: z.string(),
    listed: z.boolean(),
    isBlacklistEmpty: z.boolean().describe('If true, this installation lists no domains yet'),
    matchedDomain: z.string().nullable().describe('The listed name that covers the domain: itself or a parent'),
    riskLevel: RiskLevel.nullable(),
    confidence: Confidence.nullable(),
    independentSourceCount: z.number().nullable(),
    firstListedAt: z.string().nullable(),
    lastSeen: z.string().nullable(),
    page: z.string().describe('The address of the public page of the domain'),
    listings: z.array(ExplainedListing).describe(`The first ${maxListings}, active ones first`),
    listingCount: z.number(),
    untrusted: z.object({
      niche: UntrustedText.nullable(),
      cost: UntrustedText.nullable().describe('The price of a link'),
      ownerStatement: UntrustedText.nullable().describe('What the owner of the domain says. It is not verified'),
    }),
  }),
  async run({ context, origin }, input) {
    const verdict = await getDomainVerdict(context, input.domain);
    const { niche, cost, ownerStatement, listings, ...facts } = verdict;
    const page = origin + toDomainPage(verdict.domain);
    return {
      summary: describeVerdict(verdict, page),
      data: {
        ...facts,
        page,
        listings: listings.slice(0, maxListings).map(toExplainedListing),
        listingCount: listings.length,
        untrusted: {
          niche: toUntrustedText(niche),
          cost: toUntrustedText(cost),
          ownerStatement: toUntrustedText(ownerStatement, 2000),
        },
      },
    };
  },
});

function toExplainedListing({ source, family, evidenceUrl, price, note, ...facts }: Listing) {
  return {
    ...facts,
    family: family?.id ?? null,
    untrusted: {
      source: toUntrustedText(source),
      evidenceUrl: toUntrustedText(evidenceUrl, 500),
      price: toUntrustedText(price),
      note: toUntrustedText(note, 500),
    },
  };
}

function describeVerdict(verdict: DomainVerdict, page: string): string {
  const { domain, matchedDomain, riskLevel, confidence, independentSourceCount, firstListedAt, listings } = verdict;
  if (verdict.isBlacklistEmpty) return `This blacklist is still empty, so it says nothing about ${domain}.`;
  if (!verdict.listed) {
    return `No source lists ${domain} as a site that sells backlinks. That is not a recommendation. Page: ${page}`;
  }
  const active = listings.filter(({ withdrawnAt }) => withdrawnAt === null).map(({ kind }) => kind);
  const kinds = [...new Set(active)].map((kind) => kindNames[kind]).join(', ');
  const covered = matchedDomain === domain ? '' : ` through ${matchedDomain}`;
  const sources =
    independentSourceCount === 1 ? '1 independent source' : `${independentSourceCount} independent sources`;
  const since = firstListedAt ? ` since ${firstListedAt.slice(0, 10)}` : '';
  const evidence = kinds ? ` Evidence: ${kinds}.` : '';
  return `${domain} is listed${covered}${since} by ${sources} (risk ${riskLevel}, confidence ${confidence}).${evidence} A listing is not proof that a particular link was paid for. Page: ${page}`;
}
