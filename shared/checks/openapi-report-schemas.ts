import type * as z from 'zod/mini';
import { Submission, SubmissionInput } from '../blacklist/submissions.ts';
import { answerQuestion } from '../reports/backlinks.ts';
import { Decision, DomainDecision } from '../reports/decisions.ts';
import {
  KeyAnalysis,
  KeyReport,
  KeyReportDetails,
  KeyToxicDomain,
  listLinksWithKey,
  listReportsWithKey,
  listToxicDomainsWithKey,
  StartedAnalysis,
} from '../reports/key-reports.ts';
import {
  DecisionChange,
  DecisionList,
  DecisionResult,
  KeyAlert,
  KeyWebsite,
  listAlertsWithKey,
  listDecisionsWithKey,
  listWebsitesWithKey,
  NewWebsite,
  WebsiteChange,
} from '../reports/key-websites.ts';
import { HarmfulBacklink, ReviewState } from '../reports/reports.ts';
import { count, documentSchema, nameSchema, time } from './openapi-components.ts';
import * as examples from './openapi-report-examples.ts';

// Describes the objects of websites, analyses and reports. `openapi-reports.ts` has their calls.

const day = { format: 'date' };
const id = { type: 'integer', minimum: 1 };
const domain = 'The listed domain: the host of the link or a parent domain.';
const riskLevel = 'The risk level of the domain.';

nameSchema(Decision, {
  id: 'Decision',
  description: 'What you decided about a domain: `keep` its links, have them removed (`remove`), or `disavow` them.',
  examples: ['disavow'],
});

nameSchema(ReviewState, {
  id: 'ReviewState',
  description: 'A decision, or `undecided`.',
  examples: ['undecided'],
});

const figures = {
  toxicityRating: 'The toxicity as a risk level: very high from 20, high from 10, medium from 5.',
  toxicityPercentage: '100 times `toxicDomains` divided by `uniqueDomains`.',
  totalBacklinks: { description: 'Links in the upload.', ...count },
  nofollowBacklinks: { description: 'Links that are marked nofollow.', ...count },
  totalDomains: { description: 'Distinct hosts that link to the website.', ...count },
  uniqueDomains: { description: 'Distinct referring domains.', ...count },
  toxicDomains: { description: 'Referring domains with a listed host.', ...count },
  harmfulBacklinks: { description: 'Links from listed domains.', ...count },
  riskCounts: 'Harmful backlinks by the risk level of their domain.',
};
const reportFields = {
  id: { description: 'The id of the report.', ...id },
  websiteId: { description: 'The id of the website.', ...id },
  dateCreated: { description: 'When the report was made.', ...time },
  fileName: 'The name of the uploaded file, or the first one and how many others.',
  lostBacklinks: { description: 'Links that no longer exist. The other figures leave them out.', ...count },
  ...figures,
};

documentSchema('Report', KeyReport, {
  description: 'The figures of a report.',
  values: [examples.report],
  fields: reportFields,
});

documentSchema('ReportDetails', KeyReportDetails, {
  description: 'A report with the progress of its review.',
  values: [examples.reportDetails],
  fields: {
    ...reportFields,
    domain: 'The domain of the website.',
    listedDomains: { description: 'Listed domains that link to the website.', ...count },
    decisionCounts: 'Listed domains by your decision.',
  },
});

const tags = 'Your labels, up to 10.';

documentSchema('Website', KeyWebsite, {
  description: 'A website whose backlinks you analyze.',
  values: [examples.website],
  fields: {
    id: { description: 'The id of the website.', ...id },
    domain: 'Its host in lower case, without `www.` and in ASCII.',
    description: 'Your description. Null without one.',
    tags,
    dateAdded: { description: 'When it was added.', ...time },
    lastReport: 'The newest report. Null before the first upload.',
  },
});

documentSchema('NewWebsite', NewWebsite, {
  description: 'A website to add.',
  values: [examples.newWebsite],
  fields: { domain: 'A domain or the URL of a page.', description: 'Your description, up to 500 characters.' },
});

documentSchema('WebsiteChange', WebsiteChange, {
  description: 'What to change. Missing fields stay as they are.',
  values: [examples.websiteChange],
  fields: { description: 'Your description, up to 500 characters.', tags: 'Replaces all tags. Up to 10.' },
});

const analysisFields = {
  id: { description: 'The id of the analysis.', format: 'uuid' },
  status: '`processing`, `waiting` for your answer, `completed`, `failed` or `cancelled`.',
};

documentSchema('StartedAnalysis', StartedAnalysis, {
  description: 'An analysis that was started or continued.',
  values: [examples.startedAnalysis],
  fields: analysisFields,
});

documentSchema('Analysis', KeyAnalysis, {
  description: 'The progress of an analysis.',
  values: [examples.analysis, examples.waitingAnalysis],
  fields: {
    ...analysisFields,
    progress: { description: 'From 0 to 100.', ...count },
    message: 'The current step, the question, or why the analysis failed.',
    reportId: { description: 'The id of the report. Only after the analysis has completed.', ...id },
    question:
      'Only while it waits. `about` is `column` (choose one of `columns`), `site` (the links point to `site`) or `disavow` (`file` is a disavow file).',
  },
});

documentSchema('Answer', answerQuestion.body, {
  description: 'The answer to a question: one of the fields.',
  values: [examples.answer],
  fields: {
    column: { description: 'For `column`: the position of the column with the linking pages, from 0.', ...count },
    anyway: 'For `site`: analyze the links although they point to another website.',
    instead: 'For `site`: analyze them for that website, which is added if it is new.',
    merge: 'For `disavow`: add the file to the disavow files of the website.',
  },
});

documentSchema('ToxicDomain', KeyToxicDomain, {
  description: 'A listed domain that links to the website, as of the analysis.',
  values: [...examples.toxicDomains.data],
  fields: {
    domain: 'The listed domain.',
    riskLevel,
    confidence: 'The confidence of the listing.',
    sourceCount: { description: 'How many sources list it.', ...count },
    independentSourceCount: { description: 'How many of them do not copy from each other.', ...count },
    niche: 'The topic of the site. Null if unknown.',
    listedAt: { description: 'Since when it is on the blacklist.', ...time },
    backlinks: { description: 'Its links to the website, without lost ones.', ...count },
    nofollowBacklinks: { description: 'Those of its links that are nofollow.', ...count },
    firstSeen: { description: 'When the tool of the export first saw a link. Null if it does not say.', ...day },
    isNew: 'Whether the previous report did not contain it.',
    signals: 'Patterns of its links. They are hints, not proof.',
    decision: 'Your decision. Null before you decide.',
    note: 'Your note, or an empty text.',
  },
});

documentSchema('Link', HarmfulBacklink, {
  description: 'A link from a listed domain.',
  values: [...examples.links.data],
  fields: {
    domain,
    referringPage: 'The page that contains the link.',
    riskLevel,
    confidence: 'The confidence of the listing.',
    independentSourceCount: { description: 'How many independent sources list the domain.', ...count },
    reason: 'Why the link is harmful, as a sentence.',
    source: 'What the report says about the sources.',
    lost: 'Whether the link no longer exists.',
    nofollow: 'Whether the link is marked nofollow.',
    decision: 'Your decision about the domain. Null before you decide.',
    anchor: 'The text of the link. Null if the export does not say.',
    targetPage: 'The page that it points to. Null if the export does not say.',
    firstSeen: { description: 'When the tool first saw it. Null if the export does not say.', ...day },
    firstSeenText: 'That day as the export writes it, if it can be read in several ways. Otherwise null.',
  },
});

documentSchema('DomainDecision', DomainDecision, {
  description: 'Your decision about a domain. It applies to every report of the website.',
  values: [examples.decision],
  fields: {
    domain: 'The domain.',
    decision: 'Your decision. Null if there is only a note.',
    note: 'Your note, or an empty text.',
    decidedAt: { description: 'When you decided.', ...time },
    askedAt: { description: 'When you asked the owner of the site to remove its links, if you did.', ...time },
  },
});

documentSchema('DecisionChange', DecisionChange, {
  description: 'A decision to store.',
  values: examples.decisionList.decisions.slice(0, 1),
  fields: {
    domain: 'A domain. It need not be listed.',
    decision: 'The decision, or null to remove it.',
    note: 'Replaces the note, up to 500 characters. Without it, the note stays as it is.',
  },
});

documentSchema('DecisionList', DecisionList, {
  description: 'Decisions to store, each about another domain.',
  values: [examples.decisionList],
  fields: { decisions: 'Up to 1,000 decisions. If one is refused, none is stored.' },
});

documentSchema('DecisionResult', DecisionResult, {
  description: 'How many decisions were stored.',
  values: [{ changed: 2 }],
  fields: { changed: { description: 'The number of domains.', ...count } },
});

documentSchema('Alert', KeyAlert, {
  description: 'A change of the blacklist that affects a website.',
  values: [...examples.alerts.data],
  fields: {
    id: { description: 'The id of the alert.', ...id },
    websiteId: { description: 'The id of the website.', ...id },
    website: 'The domain of the website.',
    domain: 'The domain whose listing changed.',
    event: '`listed`, `raised`, `lowered` or `delisted`.',
    from: 'The risk level before. Null if the domain was not listed.',
    to: 'The risk level after. Null if the domain is no longer listed.',
    backlinks: { description: 'Its links to the website, without lost ones.', ...count },
    at: { description: 'When the change was found.', ...time },
    readAt: { description: 'When you marked the alert as read. Null before.', ...time },
  },
});

const siteFields = {
  domain: 'The domain of the site.',
  evidence: 'Why you think that it sells links, 20 to 1,000 characters.',
  source: 'Where you found it.',
  cost: 'The price of a link.',
  niche: 'The topic of the site.',
  domainRating: { description: 'Its domain rating from 0 to 100. 0 if unknown.' },
  additionalNotes: 'Anything else.',
};

documentSchema('SubmissionInput', SubmissionInput, {
  description: 'A site that you suggest for the blacklist.',
  values: [examples.submissionInput],
  fields: siteFields,
});

documentSchema('Submission', Submission, {
  description: 'A suggested site. An admin decides about it.',
  values: [examples.submission],
  fields: {
    ...siteFields,
    id: { description: 'The id of the submission.', ...id },
    status: '`pending`, `approved` or `rejected`.',
    dateSubmitted: { description: 'When you submitted it.', ...time },
    submitterEmail: 'Your email address.',
    reason: 'Why it was rejected. Null otherwise.',
    dateDecided: { description: 'When an admin decided. Null before.', ...time },
  },
});

const pages = [
  ['WebsitePage', listWebsitesWithKey, examples.websites],
  ['ReportPage', listReportsWithKey, examples.reports],
  ['ToxicDomainPage', listToxicDomainsWithKey, examples.toxicDomains],
  ['LinkPage', listLinksWithKey, examples.links],
  ['DecisionPage', listDecisionsWithKey, examples.decisions],
  ['AlertPage', listAlertsWithKey, examples.alerts],
] as const;

for (const [name, { responses }, value] of pages) {
  documentSchema<z.ZodMiniObject<{ data: z.ZodMiniType; nextCursor: z.ZodMiniType }>>(name, responses[200], {
    description: 'A page of a list.',
    values: [value],
    fields: {
      data: 'The rows of the page.',
      nextCursor: 'Send it as `cursor` to get the next page. Null on the last page.',
    },
  });
}
