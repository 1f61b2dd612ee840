import { randomBytes } from 'node:crypto';
import type { AppealDecision } from '#shared/blacklist/appeals.ts';
import { registerAccount } from '../../accounts/accounts/accounts.ts';
import { markMessage, sendDomainReport, sendMessage } from '../../accounts/messages/messages.ts';
import { createAppeal, decideAppeal, verifyAppeal } from '../../blacklist/appeals/appeals.ts';
import { createAllowRule } from '../../blacklist/held/held.ts';
import { createSharedHost } from '../../blacklist/held/shared-hosts.ts';
import { importStoredFile } from '../../blacklist/imports/imports.ts';
import { createView } from '../../blacklist/saved-views/saved-views.ts';
import { createSubmission, decideSubmission } from '../../blacklist/submissions/submissions.ts';
import type { Context } from '../../context.ts';
import { type Identity, noAudit } from '../../platform/http/scope.ts';
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
    evidence: 'A friend told me that they once published a sponsored article about binoculars.',
    source: 'word of mouth',
    cost: 'unknown',
    niche: 'Nature',
    domainRating: 38,
    daysAgo: 24,
    decision: {
      status: 'rejected',
      reason: 'We found no offer on the site. Please send the URL of an offer or the text of their email.',
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
    domain: 'weekend-traveler.example',
    evidence: 'Their editor emailed me an offer: two links in an older article for $90, or $150 on the home page.',
    source: 'email offer, blackhatworld',
    cost: '$90-150',
    niche: 'Travel',
    domainRating: 44,
    additionalNotes: 'The same sender also offered links on two sister sites.',
    daysAgo: 3,
  },
  {
    domain: 'smart-home-insider.invalid',
    evidence:
      'Every review links to the same shop with the same anchor text, and the price list is on the legal notice page.',
    source: 'manual',
    cost: '€60 per link',
    niche: 'Technology',
    domainRating: 52,
    daysAgo: 1,
  },
];

/** Creates submissions, some with the admin's decision a day later. */
export async function fillSubmissions(context: Context, userId: number, admin: Identity): Promise<void> {
  for (const { daysAgo, decision, additionalNotes, ...site } of submissions) {
    const sentAt = new Date(context.now().getTime() - daysAgo * day);
    const input = { ...site, ...(additionalNotes && { additionalNotes }) };
    const { id } = await createSubmission({ ...context, now: () => sentAt }, userId, input);
    const decidedAt = new Date(sentAt.getTime() + day);
    if (decision) await decideSubmission({ ...context, now: () => decidedAt }, id, decision, { admin, audit: noAudit });
  }
}

/** Rows of a list that names good sites among others: imports hold these for review. */
const heldRows = [
  'wikipedia.org,All backlinks of a competitor',
  'github.com,All backlinks of a competitor',
  'bit.ly,All backlinks of a competitor',
  'library.northgate-college.edu,Guest post list',
  'tourism.harbor-valley.gov,Guest post list',
  'https://slow-cooking.example/recipes/sponsored-knife-review,Guest post list',
];

/** A host of many blogs, and offers of two of them. The last row is about no blog. */
const blogHost = 'hobby-journals.example';
const blogRows = [
  `${blogHost},Forum thread,https://garden-diary.${blogHost}/advertise`,
  `${blogHost},Marketplace search,https://budget-travel.${blogHost}/sponsored-posts`,
  `${blogHost},Competitor list,`,
];

/** Imports a list whose rows are held for review, adds a shared host, and adds allow rules. */
export async function fillReviewQueue(context: Context, admin: Identity): Promise<void> {
  const importList = async (fileName: string, rows: readonly string[], daysAgo: number) => {
    const at = new Date(context.now().getTime() - daysAgo * day);
    const saved = await context.files.save(['domain,source,evidence url', ...rows, ''].join('\n'));
    await importStoredFile({ ...context, now: () => at }, { ...saved, fileName }, admin);
  };
  await importList('guest-posts-and-competitors.csv', heldRows, 2);
  await importList('blogs-that-sell-posts.csv', blogRows, 6);
  const addedAt = new Date(context.now().getTime() - 5 * day);
  const shared = { host: blogHost, reason: 'Anyone can open a blog there.' };
  await createSharedHost({ ...context, now: () => addedAt }, shared, { admin, audit: noAudit });
  const rules = [
    { domain: 'northgate-search.example', reason: 'Our own website.', daysAgo: 30 },
    {
      domain: 'rare-birds-of-the-coast.example',
      reason: 'We checked it after a submission: it sells no links.',
      daysAgo: 23,
    },
  ];
  for (const { daysAgo, ...rule } of rules) {
    const at = new Date(context.now().getTime() - daysAgo * day);
    await createAllowRule({ ...context, now: () => at }, rule, admin, noAudit);
  }
}

const reports = [
  'This site was sold last year. The new owner no longer accepts paid posts. Could you check it again?',
  'I found the same offer on a second marketplace, at twice the price.',
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
      'Hello,\n\nOur largest client has about 2 million backlinks. Can I upload the export in parts, and will the reports be combined?\n\nThank you,\nPriya',
    hoursAgo: 24 * 12,
    state: 'replied',
  },
  {
    name: 'Tomás Ferreira',
    subject: 'Feature request: compare two websites',
    message:
      'I would love to see the toxicity of two profiles side by side, over time. I am happy to test an early version.',
    hoursAgo: 24 * 5,
    state: 'read',
  },
  {
    name: 'Jonas Lindqvist',
    subject: 'Help with a disavow file',
    message: 'Search Console says "invalid syntax in line 1" for the file that I saved. What did I do wrong?',
    hoursAgo: 24 * 2,
    state: 'new',
  },
  {
    name: 'Mei Tanaka',
    subject: 'Consulting for a penalty recovery',
    message:
      'We acquired a shop whose previous owner bought many links. Could you recommend a consultant who can clean this up?',
    hoursAgo: 5,
    state: 'new',
  },
];

/** Creates messages in every state. Sends no email, because the demo admin has a made-up address. */
export async function fillInbox(context: Context, userId: number): Promise<void> {
  const withoutMail: Context = { ...context, config: { ...context.config, mail: undefined } };
  for (const { hoursAgo, state, ...message } of messages) {
    const at = new Date(context.now().getTime() - hoursAgo * hour);
    const email = `${message.name
      .toLowerCase()
      .normalize('NFD')
      .replace(/[^a-z]+/g, '.')}@mail.example`;
    const sender = { userId: undefined, network: 'demo' };
    const id = await sendMessage({ ...withoutMail, now: () => at }, { ...message, email }, sender);
    if (id !== undefined && state !== 'new') await markMessage(withoutMail, id, state, noAudit);
  }
  for (const [i, domain] of (await listFirstDomains(context.db, reports.length)).entries()) {
    await sendDomainReport(withoutMail, userId, domain, reports[i] ?? '');
  }
}

/** Saves views of the blacklist for a user. */
export async function fillViews(context: Context, userId: number): Promise<void> {
  const views = [
    { name: 'Casino offers', query: { filter: 'all', niche: 'Casino', confidence: 'confirmed' } },
    { name: 'Expensive, very high risk', query: { filter: 'all', riskLevel: 'very high', sort: 'cost-desc' } },
    { name: 'New travel sites', query: { filter: 'recent', niche: 'Travel' } },
  ] as const;
  for (const view of views) await createView(context, userId, view);
}

interface DemoAppeal {
  /** Undefined: one of the imported domains. */
  domain?: string;
  message: string;
  statement: string;
  daysAgo: number;
  decision?: AppealDecision;
}

const appeals: DemoAppeal[] = [
  {
    domain: 'daily-finance-wire.example',
    message: 'We relaunched in spring and label all sponsored articles now. Please remove the listing.',
    statement:
      'Daily Finance Wire was relaunched with new editors. Sponsored articles are labeled, and their links have rel="sponsored".',
    daysAgo: 9,
    decision: {
      decision: 'keep',
      publishStatement: true,
      reason:
        'Your media kit still offers followed links from $240. Write to us again when that page is gone. We published your statement.',
    },
  },
  {
    message:
      'We bought this domain at an auction in January. The marketplace offer is from the previous owner, who we have no contact with.',
    statement: 'This domain has had new owners since January. We do not sell links.',
    daysAgo: 1,
  },
];

/** Creates the account of a site owner and verified appeals, one of them with a decision. */
export async function fillAppeals(context: Context, admin: Identity): Promise<void> {
  const withoutMail: Context = { ...context, config: { ...context.config, mail: undefined } };
  const owner = await registerAccount(context.db, {
    username: 'dana.reyes',
    email: 'dana@daily-finance-wire.example',
    password: randomBytes(24).toString('hex'),
    displayName: 'Dana Reyes',
  });
  const imported = (await listFirstDomains(context.db, 3)).at(-1);
  for (const { domain = imported?.name ?? '', daysAgo, decision, message, statement } of appeals) {
    const sentAt = new Date(context.now().getTime() - daysAgo * day);
    const at: Context = { ...withoutMail, now: () => sentAt };
    const { id, token } = await createAppeal(at, owner.id, { name: domain, message, statement, proof: 'dns' });
    // No name server has made-up domains, so the record is not looked up.
    const outbound = { ...context.outbound, resolveTxt: async () => [token] };
    await verifyAppeal({ ...at, outbound }, owner.id, domain, id);
    const decidedAt = new Date(sentAt.getTime() + 2 * day);
    if (decision) await decideAppeal({ ...withoutMail, now: () => decidedAt }, id, decision, { admin, audit: noAudit });
  }
}
