import type { Context } from '../context.ts';
import { type Identity, noAudit } from '../http/scope.ts';
import { markMessage, sendMessage, sendReport } from '../messages/messages.ts';
import { createSubmission, decideSubmission } from '../submissions/submissions.ts';
import { listFirstDomains } from './store.ts';

const hour = 3_600_000;
const day = 24 * hour;

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

/** Adds suggested sites, some with the admin's decision a day later. */
export async function fillSubmissions(context: Context, userId: number, admin: Identity): Promise<void> {
  for (const { daysAgo, decision, additionalNotes, ...site } of submissions) {
    const sentAt = new Date(context.now().getTime() - daysAgo * day);
    const input = { ...site, ...(additionalNotes && { additionalNotes }) };
    const { id } = await createSubmission({ ...context, now: () => sentAt }, userId, input);
    const decidedAt = new Date(sentAt.getTime() + day);
    if (decision) await decideSubmission({ ...context, now: () => decidedAt }, id, decision, admin, noAudit);
  }
}

const reports = [
  'This shop was sold last year. The new owner no longer takes paid posts, could you have another look at it?',
  'I found the same offer on a second marketplace, the price is twice as high there.',
];

/** Messages from the contact form, oldest first. */
const messages: {
  name: string;
  subject: string;
  message: string;
  hoursAgo: number;
  state: 'new' | 'read' | 'replied';
}[] = [
  {
    name: 'Priya Nair',
    subject: 'Is there a limit on the size of exports?',
    message:
      'Hello,\n\nour largest client has about 2 million backlinks. Can I upload the export in parts, and will the reports add up?\n\nThank you\nPriya',
    hoursAgo: 24 * 12,
    state: 'replied',
  },
  {
    name: 'Tomás Ferreira',
    subject: 'Feature request: compare two websites',
    message:
      'I would love to see the toxicity of two profiles side by side, over time. Happy to test an early version of it.',
    hoursAgo: 24 * 5,
    state: 'read',
  },
  {
    name: 'Jonas Lindqvist',
    subject: 'Help with a disavow file',
    message: 'The search console says "invalid syntax in line 1" for the file that I saved. What did I do wrong?',
    hoursAgo: 24 * 2,
    state: 'new',
  },
  {
    name: 'Mei Tanaka',
    subject: 'Consulting for a penalty recovery',
    message:
      'We bought a shop whose former owner had bought many links. Could you put us in touch with somebody who cleans this up?',
    hoursAgo: 5,
    state: 'new',
  },
];

/** Adds messages in every state. Sends no mail: the admin of the demonstration has a made-up address. */
export async function fillInbox(context: Context, userId: number): Promise<void> {
  const quiet: Context = { ...context, config: { ...context.config, mail: undefined } };
  for (const { hoursAgo, state, ...message } of messages) {
    const at = new Date(context.now().getTime() - hoursAgo * hour);
    const email = `${message.name
      .toLowerCase()
      .normalize('NFD')
      .replace(/[^a-z]+/g, '.')}@mail.example`;
    const sender = { userId: undefined, address: 'demo' };
    const id = await sendMessage({ ...quiet, now: () => at }, { ...message, email }, sender);
    if (id !== undefined && state !== 'new') await markMessage(quiet, id, state, noAudit);
  }
  for (const [i, domain] of (await listFirstDomains(context.db, reports.length)).entries()) {
    await sendReport(quiet, userId, domain, reports[i] ?? '');
  }
}
