import type * as z from 'zod/mini';
import { RiskLevel } from '../blacklist/domains.ts';
import { createSubmissionWithKey } from '../blacklist/submissions.ts';
import type { Endpoint } from '../platform/endpoint.ts';
import { uploadHeaders } from '../platform/uploads.ts';
import * as reports from '../reports/key-reports.ts';
import * as websites from '../reports/key-websites.ts';
import { ReviewState } from '../reports/reports.ts';
import {
  type ApiResponse,
  type Content,
  type HeaderName,
  headerRefs,
  headers,
  jsonContent,
  rateLimitHeaders,
  toJsonSchema,
} from './openapi-components.ts';
import type { errorResponses } from './openapi-errors.ts';
import { exampleDomains, sampleLanguages } from './openapi-examples.ts';
import { errorRefs, operation, type Parameter, type PathItems } from './openapi-operation.ts';
import * as examples from './openapi-report-examples.ts';
import './openapi-report-schemas.ts';

export const reportTags = [
  { name: 'Websites', description: 'The websites whose backlinks you analyze, and your decisions.' },
  { name: 'Reports', description: 'Upload backlink exports and read the reports.' },
  { name: 'Blacklist', description: 'Follow changes of the blacklist, and suggest sites.' },
];

interface CallText {
  operationId: string;
  tag: (typeof reportTags)[number]['name'];
  /** Without the scope, which is added. */
  description: string;
  parameters?: readonly Parameter[];
  /** An example of the JSON body. */
  body?: unknown;
  form?: Content;
  /** Examples of the response by their summaries. A text is a file. Undefined for 204. */
  answers?: Record<string, unknown>;
  headers?: readonly HeaderName[];
  errors?: readonly (keyof typeof errorResponses)[];
}

const { website: websiteId, report: reportId, analysis: analysisId } = examples.exampleIds;

const pathId = (what: string, example: string | number): Parameter => ({
  name: 'id',
  in: 'path',
  required: true,
  description: `The id of the ${what}.`,
  schema: typeof example === 'number' ? { type: 'integer', minimum: 1 } : { type: 'string', format: 'uuid' },
  example,
});
const ofWebsite = pathId('website', websiteId);
const ofReport = pathId('report', reportId);
const ofAnalysis = pathId('analysis', analysisId);

const inQuery = (name: string, description: string, rest: Pick<Parameter, 'schema' | 'example'>): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  ...rest,
});
const pageOf = (list: string) => [
  inQuery('limit', 'Rows per page.', {
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    example: 50,
  }),
  inQuery('cursor', 'The `nextCursor` of the page before. Leave it out for the first page.', {
    schema: { type: 'string', maxLength: 300 },
    example: `${list}-${list === 'decisions' ? exampleDomains.listed : 120}`,
  }),
];

const inHeader = (name: string, description: string, rest: Pick<Parameter, 'schema' | 'example'>): Parameter => ({
  ...inQuery(name, description, rest),
  in: 'header',
});
const ifNoneMatch = inHeader(
  'If-None-Match',
  'The `ETag` of an earlier response. If nothing has changed, you get 304 without a body.',
  { schema: { type: 'string' }, example: headers.ETag.example },
);
const idempotencyKey = inHeader(
  'Idempotency-Key',
  'A random text of up to 255 characters. If you send the same request again within 24 hours, you get the first answer, and nothing is done twice. Errors are not stored.',
  { schema: { type: 'string', maxLength: 255 }, example: '3f0c1b1e-52b4-4f0e-9b1a-6a5d0c2e7f11' },
);

/** The calls of websites, analyses, reports and what belongs to them. */
export function buildReportPaths(origin: string): PathItems {
  const items: PathItems = {};
  for (const [endpoint, text] of calls) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    items[path] = { ...items[path], [method]: describe(origin, endpoint, text) };
  }
  return items;
}

function describe(origin: string, endpoint: Endpoint, text: CallText) {
  const isOnce = endpoint.method === 'POST';
  const parameters = [
    ...(text.parameters ?? []),
    ...(endpoint.hasETag ? [ifNoneMatch] : []),
    ...(isOnce ? [idempotencyKey] : []),
  ];
  const content =
    text.form ?? (text.body !== undefined && endpoint.body && toContent(endpoint.body, { 'A request': text.body }));
  const [status = 204, schema] = Object.entries(endpoint.responses ?? {})[0] ?? (text.answers ? [200] : []);
  const names = [
    ...rateLimitHeaders,
    ...(endpoint.hasETag ? (['ETag'] as const) : []),
    ...(isOnce ? (['Idempotency-Replayed'] as const) : []),
    ...(text.headers ?? []),
  ];
  const success: ApiResponse = {
    description: describeSuccess(endpoint, Number(status)),
    headers: headerRefs(names),
    ...(text.answers && { content: schema ? toContent(schema, text.answers) : toTextContent(text.answers) }),
  };
  return operation(
    origin,
    endpoint,
    {
      operationId: text.operationId,
      tags: [text.tag],
      description: text.description,
      ...(parameters.length > 0 && { parameters }),
      ...(content && { requestBody: { required: true, description: 'The body of the request.', content } }),
      responses: {
        [status]: success,
        ...(endpoint.hasETag && {
          304: { description: 'Nothing has changed.', headers: headerRefs([...rateLimitHeaders, 'ETag']) },
        }),
        ...errorRefs(
          'InvalidRequest',
          'Unauthorized',
          'MissingScope',
          ...(endpoint.params ? (['NotFound'] as const) : []),
          ...(text.errors ?? []),
          ...(isOnce ? (['Conflict', 'IdempotencyMismatch'] as const) : []),
          ...(content ? (['TooLarge', 'UnsupportedMediaType', 'StorageLimit'] as const) : []),
          'TooManyCalls',
          'InternalError',
          'Unavailable',
        ),
      },
    },
    sampleLanguages.filter(({ label }) => label === 'curl'),
  );
}

function describeSuccess({ method }: Endpoint, status: number): string {
  if (status === 202) return 'It was started. Read its progress until it has finished.';
  if (status === 204) return 'It was deleted.';
  return method === 'GET' ? 'What you asked for.' : 'What is stored now.';
}

function toContent(schema: z.ZodMiniType, values: Record<string, unknown>): Content {
  const named = Object.entries(values).map(([summary, value]) => [summary, { summary, value }]);
  return jsonContent(schema, Object.fromEntries(named));
}

function toTextContent(values: Record<string, unknown>): Content {
  const named = Object.entries(values).map(([summary, value]) => [summary, { summary, value }]);
  return { 'text/plain': { schema: { type: 'string' }, examples: Object.fromEntries(named) } };
}

const calls: readonly [Endpoint, CallText][] = [
  [
    websites.listWebsitesWithKey,
    {
      operationId: 'listWebsites',
      tag: 'Websites',
      description: 'Lists your websites with their newest reports, newest first.',
      parameters: pageOf('websites'),
      answers: { websites: examples.websites },
    },
  ],
  [
    websites.createWebsiteWithKey,
    {
      operationId: 'createWebsite',
      tag: 'Websites',
      description: 'Adds a website. If you have it already, you get 409 with its id in `existingId`.',
      body: examples.newWebsite,
      answers: { website: examples.website },
      headers: ['Location'],
    },
  ],
  [
    websites.getWebsiteWithKey,
    {
      operationId: 'getWebsite',
      tag: 'Websites',
      description: 'Returns a website with its newest report.',
      parameters: [ofWebsite],
      answers: { website: examples.changedWebsite },
    },
  ],
  [
    websites.updateWebsiteWithKey,
    {
      operationId: 'updateWebsite',
      tag: 'Websites',
      description: 'Changes the description or the tags of a website.',
      parameters: [ofWebsite],
      body: examples.websiteChange,
      answers: { website: examples.changedWebsite },
    },
  ],
  [
    websites.deleteWebsiteWithKey,
    {
      operationId: 'deleteWebsite',
      tag: 'Websites',
      description: 'Deletes a website with its reports and decisions.',
      parameters: [ofWebsite],
    },
  ],
  [
    reports.startAnalysisWithKey,
    {
      operationId: 'startAnalysis',
      tag: 'Reports',
      description: `Uploads one or more backlink exports (CSV, Excel, ZIP or gzip, up to 200 MB together) and analyzes them as one report. To continue after a lost connection, send a random UUID as \`${uploadHeaders.id}\` instead of an \`Idempotency-Key\`: the analysis gets this id. Ask where to continue, and send the rest with the number of received bytes as \`${uploadHeaders.offset}\`.`,
      parameters: [
        ofWebsite,
        inHeader(
          'Upload-Id',
          'A random UUID, to continue the upload after a lost connection. It becomes the id of the analysis.',
          {
            schema: { type: 'string', format: 'uuid' },
            example: analysisId,
          },
        ),
        inHeader('Upload-Offset', 'How many bytes of the files have been received before.', {
          schema: { type: 'integer', minimum: 0 },
          example: 65_536,
        }),
      ],
      form: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: {
              file: {
                type: 'array',
                items: { type: 'string', format: 'binary' },
                description: 'The exports, up to 20.',
              },
              column: { type: 'string', description: 'The name of the column with the linking pages.' },
              ask: {
                type: 'string',
                enum: ['1'],
                description: 'Wait for your answer where a file leaves a question, instead of using the likely one.',
              },
            },
          },
          examples: { file: { summary: 'One file', value: { file: ['@links.csv'] } } },
        },
      },
      answers: { started: examples.startedAnalysis },
      headers: ['Location'],
    },
  ],
  [
    reports.getUploadWithKey,
    {
      operationId: 'getUpload',
      tag: 'Reports',
      description: 'Returns how many bytes of each file of an interrupted upload have arrived.',
      parameters: [ofAnalysis],
      answers: { received: examples.received },
    },
  ],
  [
    reports.getAnalysisWithKey,
    {
      operationId: 'getAnalysis',
      tag: 'Reports',
      description:
        'Returns the progress of an analysis. Call it every few seconds until `status` is no longer `processing`, or use a webhook.',
      parameters: [ofAnalysis],
      answers: { completed: examples.analysis, waiting: examples.waitingAnalysis },
    },
  ],
  [
    reports.answerQuestionWithKey,
    {
      operationId: 'answerQuestion',
      tag: 'Reports',
      description: 'Answers the question of a waiting analysis, which then continues.',
      parameters: [ofAnalysis],
      body: examples.answer,
      answers: { continued: examples.startedAnalysis },
      headers: ['Location'],
    },
  ],
  [
    reports.listReportsWithKey,
    {
      operationId: 'listReports',
      tag: 'Reports',
      description: 'Lists the reports of a website, newest first.',
      parameters: [ofWebsite, ...pageOf('reports')],
      answers: { reports: examples.reports },
    },
  ],
  [
    reports.getReportWithKey,
    {
      operationId: 'getReport',
      tag: 'Reports',
      description: 'Returns the figures of a report and the progress of its review.',
      parameters: [ofReport],
      answers: { report: examples.reportDetails },
    },
  ],
  [
    reports.listToxicDomainsWithKey,
    {
      operationId: 'listReportDomains',
      tag: 'Reports',
      description: 'Lists the listed domains of a report, highest risk first.',
      parameters: [
        ofReport,
        ...pageOf('domains'),
        inQuery('riskLevel', 'Only domains with this risk level.', {
          schema: toJsonSchema(RiskLevel),
          example: 'medium',
        }),
        inQuery('decision', 'Only domains with this decision.', {
          schema: toJsonSchema(ReviewState),
          example: 'undecided',
        }),
        inQuery('search', 'Part of a name.', { schema: { type: 'string', maxLength: 253 }, example: 'links' }),
      ],
      answers: { domains: examples.toxicDomains },
    },
  ],
  [
    reports.listLinksWithKey,
    {
      operationId: 'listReportLinks',
      tag: 'Reports',
      description: 'Lists the links from listed domains, highest risk first. Lost links are left out.',
      parameters: [
        ofReport,
        ...pageOf('links'),
        inQuery('domain', 'Only the links of this listed domain.', {
          schema: { type: 'string', maxLength: 253 },
          example: exampleDomains.listed,
        }),
      ],
      answers: { links: examples.links },
    },
  ],
  [
    websites.listDecisionsWithKey,
    {
      operationId: 'listDecisions',
      tag: 'Websites',
      description: 'Lists your decisions about the domains that link to a website, by name.',
      parameters: [ofWebsite, ...pageOf('decisions')],
      answers: { decisions: examples.decisions },
    },
  ],
  [
    websites.decideWithKey,
    {
      operationId: 'decide',
      tag: 'Websites',
      description: 'Stores up to 1,000 decisions. If one is refused, none is stored.',
      parameters: [ofWebsite],
      body: examples.decisionList,
      answers: { changed: { changed: 2 } },
      errors: ['Conflict'],
    },
  ],
  [
    websites.downloadDisavowWithKey,
    {
      operationId: 'downloadDisavowFile',
      tag: 'Websites',
      description:
        "Returns the file for Google's disavow tool: your newest uploaded disavow file, merged with your decisions.",
      parameters: [ofWebsite],
      answers: { file: examples.disavowFile },
    },
  ],
  [
    websites.listAlertsWithKey,
    {
      operationId: 'listAlerts',
      tag: 'Blacklist',
      description: 'Lists changes of the blacklist that affect your websites, oldest first.',
      parameters: [
        ...pageOf('alerts'),
        inQuery('since', 'Only alerts from this time on.', {
          schema: { type: 'string', format: 'date-time' },
          example: '2026-11-01T00:00:00Z',
        }),
      ],
      answers: { alerts: examples.alerts },
    },
  ],
  [
    createSubmissionWithKey,
    {
      operationId: 'createSubmission',
      tag: 'Blacklist',
      description: 'Suggests a site for the blacklist. An admin decides about it.',
      body: examples.submissionInput,
      answers: { submission: examples.submission },
    },
  ],
];
