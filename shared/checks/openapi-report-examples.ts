import type { Submission, SubmissionInput } from '../blacklist/submissions.ts';
import type { DomainDecision } from '../reports/decisions.ts';
import type {
  KeyAnalysis,
  KeyReport,
  KeyReportDetails,
  KeyToxicDomain,
  StartedAnalysis,
} from '../reports/key-reports.ts';
import type { DecisionList, KeyAlert, KeyWebsite } from '../reports/key-websites.ts';
import type { HarmfulBacklink } from '../reports/reports.ts';
import { exampleDomains } from './openapi-examples.ts';

const { listed, notListed } = exampleDomains;

export const exampleIds = { website: 12, report: 345, analysis: '8f1c2f60-9a4e-4d0a-8c55-0f6f0a3b7d21' };

export const report: KeyReport = {
  id: exampleIds.report,
  websiteId: exampleIds.website,
  dateCreated: '2026-11-21T09:30:04.000Z',
  fileName: 'links.csv',
  toxicityRating: 'very high',
  toxicityPercentage: 50,
  totalBacklinks: 2,
  nofollowBacklinks: 0,
  lostBacklinks: 0,
  totalDomains: 2,
  uniqueDomains: 2,
  toxicDomains: 1,
  harmfulBacklinks: 1,
  riskCounts: { veryHigh: 0, high: 0, medium: 1, low: 0 },
};

export const newWebsite = { domain: 'shop.example', description: 'A client' };

export const website: KeyWebsite = {
  id: exampleIds.website,
  domain: newWebsite.domain,
  description: newWebsite.description,
  tags: [],
  dateAdded: '2026-11-21T09:29:00.000Z',
  lastReport: null,
};

export const websiteChange = { tags: ['monthly'] };
export const changedWebsite: KeyWebsite = { ...website, ...websiteChange, lastReport: report };
export const websites = { data: [changedWebsite], nextCursor: null };

export const startedAnalysis: StartedAnalysis = { id: exampleIds.analysis, status: 'processing' };

export const analysis: KeyAnalysis = {
  id: exampleIds.analysis,
  status: 'completed',
  progress: 100,
  message: 'The report is ready',
  reportId: exampleIds.report,
};

export const waitingAnalysis: KeyAnalysis = {
  id: exampleIds.analysis,
  status: 'waiting',
  progress: 0,
  message: 'The links point to another website',
  question: { about: 'site', file: 'links.csv', site: 'other.example' },
};

export const answer = { anyway: true as const };

export const reports = { data: [report], nextCursor: 'reports-345' };

export const reportDetails: KeyReportDetails = {
  ...report,
  domain: website.domain,
  listedDomains: 1,
  decisionCounts: { undecided: 1, keep: 0, remove: 0, disavow: 0 },
};

const toxicDomain: KeyToxicDomain = {
  domain: listed,
  riskLevel: 'medium',
  confidence: 'probable',
  sourceCount: 3,
  independentSourceCount: 2,
  niche: 'Health',
  listedAt: '2026-01-05T08:12:44.000Z',
  backlinks: 1,
  nofollowBacklinks: 0,
  firstSeen: null,
  isNew: false,
  signals: [],
  decision: null,
  note: '',
};
export const toxicDomains = { data: [toxicDomain], nextCursor: null };

const link: HarmfulBacklink = {
  domain: listed,
  referringPage: `https://blog.${listed}/offer`,
  riskLevel: 'medium',
  confidence: 'probable',
  independentSourceCount: 2,
  reason: 'Listed since Jan 5, 2026, now by 2 independent sources',
  source: 'Multiple sources',
  lost: false,
  nofollow: false,
  decision: null,
  anchor: null,
  targetPage: null,
  firstSeen: null,
  firstSeenText: null,
};
export const links = { data: [link], nextCursor: null };

export const decisionList: DecisionList = {
  decisions: [
    { domain: listed, decision: 'disavow' },
    { domain: notListed, decision: 'keep', note: 'A partner' },
  ],
};

const [decided] = decisionList.decisions;
export const decision: DomainDecision = {
  domain: decided?.domain ?? '',
  decision: 'disavow',
  note: '',
  decidedAt: '2026-11-21T09:31:00.000Z',
  askedAt: null,
};
export const decisions = { data: [decision], nextCursor: null };

export const disavowFile = `# Disavow list for ${website.domain}\ndomain:${listed}\n`;

const alert: KeyAlert = {
  id: 901,
  websiteId: exampleIds.website,
  website: website.domain,
  domain: listed,
  event: 'listed',
  from: null,
  to: 'medium',
  backlinks: 1,
  at: '2026-11-21T10:00:00.000Z',
  readAt: null,
};
export const alerts = { data: [alert], nextCursor: null };

export const received = { received: [65_536] };

export const submissionInput: SubmissionInput = {
  domain: 'sells-links.example',
  evidence: 'https://sells-links.example/advertise has a price list for guest posts.',
  source: 'Own website',
  cost: '$50',
  niche: 'Health',
  domainRating: 0,
  additionalNotes: null,
};

export const submission: Submission = {
  ...submissionInput,
  additionalNotes: null,
  id: 77,
  status: 'pending',
  dateSubmitted: '2026-11-21T09:32:00.000Z',
  submitterEmail: 'you@mail.example',
  reason: null,
  dateDecided: null,
};
