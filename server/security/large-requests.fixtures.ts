import { maxLogoBytes } from '#shared/reports/report-brand.ts';

/** Ids of the largest objects of an account. */
export interface LargeAccount {
  websiteId: number;
  reportId: number;
  fileId: number;
  listId: string;
  /** Of the link of the report. */
  shareToken: string;
}

/** A request with the largest permitted data. */
export interface LargeRequest {
  /** For the parameters of the path; missing ones are 0. */
  params?: Record<string, string | number>;
  query?: string;
  body?: object;
  /** A file, and other fields of a form. */
  form?: { field: string; content: string; fields?: Record<string, string> };
  /** The account with the data, unless the path is only for admins. */
  as?: 'owner' | 'admin' | 'visitor';
}

const names = (count: number, start = 0) => Array.from({ length: count }, (_, i) => `a.b.c.d.e.f-${start + i}.example`);
const csvOfNames = (count: number) => `domain\n${names(count).join('\n')}\n`;
/** Names that fill a long body. */
const longNames = (count: number) => {
  const labels = 'a-label-of-thirty-two-characters.'.repeat(5);
  return Array.from({ length: count }, (_, i) => `${labels}name-${i}.example`);
};
const longestLogo = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(maxLogoBytes - 8)]);
const disavowFile = () => Array.from({ length: 200_000 }, (_, i) => `domain:d${i}.example`).join('\n');

/** What a request has if its route needs nothing else: a body as long as most routes accept, with common fields. */
export const largestBody = { domains: names(2000), text: 'word '.repeat(12_000), name: 'name', message: 'message' };

/** Requests that need more than ids of the large account, or a body. */
export function buildRequests(account: LargeAccount): Record<string, LargeRequest> {
  const { websiteId, reportId, fileId, listId, shareToken: token } = account;
  const website = { id: websiteId };
  const report = { id: reportId };
  const file = { id: websiteId, fileId };
  const list = { id: listId };
  return {
    'GET /api/profiles/:id/watch': { params: website },
    'POST /api/admin/discoveries': { body: { domains: longNames(1000) } },
    'GET /api/profiles/:id/decisions': { params: website, query: 'page=1900&pageSize=100' },
    'PUT /api/profiles/:id/decisions': {
      params: website,
      body: { domains: longNames(1000), decision: 'keep', note: 'x' },
    },
    'GET /api/profiles/:id/reports': { params: website },
    'GET /api/reports/:id': { params: report },
    'GET /api/reports/:id/backlinks': { params: report, query: 'page=2800&pageSize=100' },
    'GET /api/reports/:id/export-harmful-backlinks': { params: report },
    'GET /api/reports/:id/domains': { params: report, query: 'search=ab&sort=firstSeen-desc&pageSize=100' },
    'GET /api/reports/:id/domain-names': { params: report },
    'GET /api/reports/:id/domains.csv': { params: report },
    'GET /api/reports/:id/domains.xlsx': { params: report },
    'GET /api/reports/:id/overview': { params: report },
    'GET /api/reports/:id/disavow.txt': { params: report },
    'GET /api/reports/:id/link-checks': { params: report },
    'POST /api/reports/:id/link-checks': { params: report, body: { domains: longNames(500) } },
    'GET /api/reports/:id/live-pages': { params: report, query: 'domain=f-1.example' },
    'GET /api/reports/:id/share': { params: report },
    'GET /api/shared/:token': { params: { token } },
    'GET /api/shared/:token/logo': { params: { token } },
    'PUT /api/account/report-brand': { body: { name: 'Studio', logo: longestLogo.toString('base64') } },
    'GET /api/account/report-brand/logo': {},
    'GET /api/shared/:token/domains': { params: { token }, query: 'search=ab&sort=firstSeen-desc&pageSize=100' },
    'GET /api/shared/:token/backlinks': { params: { token }, query: 'page=2800&pageSize=100' },
    'GET /shared/:token': { params: { token } },
    'PUT /api/profiles/:id': { params: website, body: { description: 'word '.repeat(100) } },
    'GET /api/alerts': { query: 'page=400&pageSize=100' },
    'POST /api/profiles/:id/disavow-files': {
      params: website,
      form: { field: 'file', content: disavowFile() },
    },
    'GET /api/profiles/:id/disavow-files': { params: website },
    'GET /api/profiles/:id/disavow-files/:fileId': { params: file },
    'GET /api/profiles/:id/disavow-files/:fileId/lines': { params: file },
    'GET /api/profiles/:id/disavow-files/:fileId/changes': { params: file },
    'GET /api/profiles/:id/disavow-files/:fileId/merged.txt': { params: file },
    'GET /api/profiles/:id/disavow-files/:fileId/reavow.txt': { params: file },
    'GET /api/profiles/:id/disavow-files/:fileId/original.txt': { params: file },
    'POST /api/backlinks/analyze': {
      form: { field: 'backlinkFile', content: csvOfNames(100_000), fields: { profileId: String(websiteId) } },
    },
    'POST /api/backlinks/preview': { form: { field: 'backlinkFile', content: csvOfNames(100_000) } },
    'POST /api/domain-lists': { body: { text: longNames(10_000).join('\n') } },
    'GET /api/domain-lists/:id': { params: list },
    'GET /api/domain-lists/:id/csv': { params: list },
    'POST /api/domains/lookup': { body: { domains: longNames(500) } },
    'POST /api/domains/lookup/csv': { body: { domains: longNames(500) } },
    'GET /api/v1/websites/:id': { params: website },
    'GET /api/v1/websites/:id/reports': { params: website },
    'GET /api/v1/websites/:id/decisions': { params: website, query: 'limit=100' },
    'PUT /api/v1/websites/:id/decisions': {
      params: website,
      body: { decisions: longNames(1000).map((domain) => ({ domain, decision: 'keep' })) },
    },
    'GET /api/v1/websites/:id/disavow.txt': { params: website },
    'POST /api/v1/websites/:id/analyses': { params: website, form: { field: 'file', content: csvOfNames(100_000) } },
    'GET /api/v1/reports/:id': { params: report },
    'GET /api/v1/reports/:id/domains': { params: report, query: 'search=ab&limit=100' },
    'GET /api/v1/reports/:id/links': { params: report, query: 'cursor=280000&limit=100' },
    'POST /api/v1/check/bulk': { body: { domains: longNames(500) } },
    'POST /mcp': { body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { names: longNames(10_000) } } },
    'GET /api/domains': { query: 'search=shop&sort=domain-desc&pageSize=100' },
    'GET /api/domains/:id': { params: { id: 1 } },
    'GET /api/domains/:id/listings': { params: { id: 1 } },
    'GET /api/check': { query: 'domain=f-1.example', as: 'visitor' },
    'GET /domain/:name': { params: { name: 'f-1.example' }, as: 'visitor' },
    'GET /api/domains/by-name/:name': { params: { name: 'f-1.example' }, as: 'visitor' },
    'GET /api/v1/range/:prefix': { params: { prefix: 'abcd' }, as: 'visitor' },
    'POST /api/domains/upload/preview': { form: { field: 'file', content: csvOfNames(100_000) }, as: 'admin' },
    'POST /api/domains/upload/check': { form: { field: 'file', content: csvOfNames(100_000) }, as: 'admin' },
  };
}

/** Routes that are not called, because a call would end the sessions or the data of the trial. */
export const notCalled: Record<string, string> = {
  'POST /api/auth/logout': 'ends the session of the trial',
  'DELETE /api/account/sessions': 'ends the session of the trial',
  'DELETE /api/account/sessions/others': 'ends the session of the trial',
  'POST /api/account/password': 'ends other sessions; passwords have at most 128 characters',
  'DELETE /api/account': 'deletes the account of the trial',
  'POST /api/domains/upload': 'runs in a process of its own; the trial killed-imports and the benchmark measure it',
  'POST /api/admin/delete-all-domains': 'deletes the blacklist of the trial',
  'POST /api/admin/maintenance': 'rebuilds all tables; the benchmark measures it',
  'POST /api/risk/update-risk-levels': 'runs in a process of its own; the benchmark measures it',
};

/** Routes about one object that is always small. They are called with the id of none. */
export const smallObjects = [
  'GET /api/oauth/authorize/:id',
  'GET /api/oauth/requests/:id',
  'POST /api/oauth/requests/:id',
  'GET /api/auth/oidc/:provider/start',
  'GET /api/auth/oidc/:provider/callback',
  'POST /api/account/identities/:provider',
  'DELETE /api/account/identities/:id',
  'DELETE /api/account/sessions/:id',
  'DELETE /api/admin/allow-rules/:id',
  'DELETE /api/admin/families/:id',
  'DELETE /api/admin/feeds/:id',
  'DELETE /api/admin/messages/:id',
  'DELETE /api/admin/profiles/:id',
  'DELETE /api/admin/shared-hosts/:id',
  'DELETE /api/api-keys/:id',
  'PATCH /api/api-keys/:id',
  'DELETE /api/backlinks/analyses/:id',
  'DELETE /api/crawl/opt-outs/:id',
  'DELETE /api/domain-lists/:id',
  'DELETE /api/domains/:id',
  'DELETE /api/domains/by-name/:name/appeals/:id',
  'DELETE /api/domains/import-status/:jobId',
  'DELETE /api/profiles/:id',
  'DELETE /api/profiles/:id/disavow-files/:fileId',
  'DELETE /api/reports/:id',
  'DELETE /api/reports/:id/link-checks',
  'DELETE /api/reports/:id/share',
  'DELETE /api/uploads/:id',
  'DELETE /api/v1/websites/:id',
  'DELETE /api/views/:id',
  'DELETE /api/webhooks/:id',
  'GET /alerts/:token.xml',
  'GET /api/admin/appeals/:id',
  'GET /api/admin/feeds/:id/runs',
  'GET /api/admin/feeds/:id/runs/:runId/changes',
  'GET /api/admin/messages/:id',
  'GET /api/backlinks/analyses/:id',
  'GET /api/domains/by-name/:name/appeals',
  'GET /api/domains/import-status/:jobId',
  'GET /api/domains/import-status/:jobId/failures.csv',
  'GET /api/reset-search-limit/:userId',
  'GET /api/uploads/:id',
  'GET /api/v1/analyses/:id',
  'GET /api/v1/uploads/:id',
  'GET /api/users/:userId/api-keys',
  'GET /api/users/firebase/:uid',
  'GET /api/webhooks/:id/deliveries',
  'GET /reports/:id',
  'GET /unsubscribe/:token',
  'GET /websites/:id/disavow',
  'PATCH /api/admin/feeds/:id',
  'PATCH /api/v1/websites/:id',
  'POST /api/v1/analyses/:id/answer',
  'PATCH /api/admin/messages/:id/read',
  'PATCH /api/admin/messages/:id/replied',
  'PATCH /api/admin/sources/:id',
  'POST /api/admin/appeals/:id',
  'POST /api/admin/feeds/:id/refresh',
  'POST /api/admin/feeds/:id/runs/:runId/accept',
  'POST /api/admin/held/:id',
  'POST /api/admin/messages/:id/reply',
  'POST /api/admin/source-runs/:id/retry',
  'POST /api/admin/sources/:id/merge',
  'POST /api/admin/users/:id/disable',
  'POST /api/crawl/opt-outs/:id/verify',
  'POST /api/admin/users/:id/enable',
  'POST /api/admin/users/:id/grant-admin',
  'POST /api/admin/users/:id/reset-link',
  'POST /api/admin/users/:id/reset-second-factor',
  'POST /api/admin/users/:id/revoke-admin',
  'POST /api/admin/users/:id/unlock',
  'POST /api/api-keys/:id/rotate',
  'POST /api/backlinks/analyses/:id/answer',
  'POST /api/domains/:id/reports',
  'POST /api/domains/by-name/:name/appeals',
  'POST /api/domains/by-name/:name/appeals/:id/verify',
  'POST /api/profiles/:id/restore',
  'POST /api/reports/:id/restore',
  'POST /api/reports/:id/share',
  'POST /api/webhooks/:id/deliveries/:deliveryId/replay',
  'POST /api/webhooks/:id/secret',
  'POST /api/webhooks/:id/test',
  'POST /unsubscribe/:token',
  'PUT /api/admin/discoveries/:id',
  'PUT /api/domains/:id',
  'PUT /api/profiles/:id/disavow-answers',
  'PUT /api/profiles/:id/watch',
  'PUT /api/site-submissions/:id',
  'PUT /api/views/:id',
  'PUT /api/webhooks/:id',
];
