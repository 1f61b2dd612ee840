import type { Context } from '../context.ts';
import { type Identity, noAudit } from '../http/scope.ts';
import { createSubmission, decideSubmission } from '../submissions/submissions.ts';

interface DemoSubmission {
  domain: string;
  evidence: string;
  source: string;
  cost: string;
  niche: string;
  domainRating: number;
  additionalNotes?: string;
  daysAgo: number;
  decision?: { status: 'approved' | 'rejected'; reason?: string };
}

const submissions: DemoSubmission[] = [
  {
    domain: 'rare-birds-of-the-coast.example',
    evidence: 'A friend told me that they once had a sponsored article about binoculars.',
    source: 'word of mouth',
    cost: 'unknown',
    niche: 'Nature',
    domainRating: 38,
    daysAgo: 24,
    decision: {
      status: 'rejected',
      reason: 'We found no offer on the site. Please send the address of one, or what an e-mail of theirs says.',
    },
  },
  {
    domain: 'daily-finance-wire.example',
    evidence: 'Their media kit at https://daily-finance-wire.example/media-kit.pdf offers followed links from $240.',
    source: 'crawler',
    cost: '$240 per post',
    niche: 'Finance',
    domainRating: 61,
    daysAgo: 17,
    decision: { status: 'approved' },
  },
  {
    domain: 'healthy-kitchen-notes.test',
    evidence: 'Offered at https://gigs.example/offers/88121 as “guest post with two links”, delivered within a day.',
    source: 'fiverr',
    cost: '$35',
    niche: 'Food',
    domainRating: 29,
    daysAgo: 6,
  },
  {
    domain: 'weekend-traveller.example',
    evidence: 'I was written to by their editor: two links in an older article for $90, or $150 on the front page.',
    source: 'e-mail offer, blackhatworld',
    cost: '$90-150',
    niche: 'Travel',
    domainRating: 44,
    additionalNotes: 'The same address also wrote on behalf of two sister sites.',
    daysAgo: 3,
  },
  {
    domain: 'smart-home-insider.invalid',
    evidence:
      'Every review links to one shop with the same anchor text, and the price list is at the end of the imprint.',
    source: 'manual',
    cost: '€60 per link',
    niche: 'Technology',
    domainRating: 52,
    daysAgo: 1,
  },
];

const day = 86_400_000;

/** Sites that a user suggested, some with the admin's decision a day later. */
export async function fillSubmissions(context: Context, userId: number, admin: Identity): Promise<void> {
  for (const { daysAgo, decision, additionalNotes, ...site } of submissions) {
    const sentAt = new Date(context.now().getTime() - daysAgo * day);
    const input = { ...site, ...(additionalNotes && { additionalNotes }) };
    const { id } = await createSubmission({ ...context, now: () => sentAt }, userId, input);
    const decidedAt = new Date(sentAt.getTime() + day);
    if (decision) await decideSubmission({ ...context, now: () => decidedAt }, id, decision, admin, noAudit);
  }
}
