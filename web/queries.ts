import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';
import type { User } from '#shared/accounts/accounts.ts';
import { defaultSubmissionPageSize } from '#shared/blacklist/submissions.ts';
import { accountQuery, sessionsQuery } from './accounts/sessions/queries.ts';
import { subscriptionQuery } from './accounts/subscriptions/queries.ts';
import { webhooksQuery } from './accounts/webhooks/queries.ts';
import { discoveriesQuery } from './blacklist/discoveries/queries.ts';
import { discoveriesSearch } from './blacklist/discoveries/search.ts';
import { statsQuery } from './blacklist/domains/domains.tsx';
import { domainsQuery } from './blacklist/domains/queries.ts';
import { domainsSearch, toListQuery } from './blacklist/domains/search.ts';
import { viewsQuery } from './blacklist/domains/views/default-view.ts';
import { feedsQuery } from './blacklist/feeds/queries.ts';
import { heldQuery } from './blacklist/held/queries.ts';
import { heldSearch } from './blacklist/held/search.ts';
import { familiesQuery, sourceRunsQuery, sourcesQuery } from './blacklist/sources/queries.ts';
import { sourcesSearch } from './blacklist/sources/search.ts';
import { ownSubmissionsQuery, submissionsQuery } from './blacklist/submissions/queries.ts';
import { reviewSearch, submitSearch } from './blacklist/submissions/search.ts';
import { updatesQuery } from './blacklist/updates/queries.ts';
import { verdictQuery } from './checks/domain-pages/queries.ts';
import {
  accessQuery,
  accessRequestQuery,
  alertFeedQuery,
  apiKeysQuery,
  newsQuery,
} from './operations/account/queries.ts';
import { accountSearch, connectSearch } from './operations/account/search.ts';
import {
  adminStatusQuery,
  freshStatsQuery,
  systemQuery,
  userCountQuery,
  usersQuery,
} from './operations/admin/queries.ts';
import { adminPanelSearch } from './operations/admin/search.ts';
import { countsQuery, messagesQuery } from './operations/messages/queries.ts';
import { inboxSearch, toMessageQuery } from './operations/messages/search.ts';
import { paths } from './paths.ts';
import { loadEarly } from './platform/endpoint-query.ts';
import { alertsQuery } from './reports/alerts/queries.ts';
import { alertsSearch } from './reports/alerts/search.ts';
import { overviewQuery, reviewQuery, toFilter } from './reports/backlinks/report/screen.ts';
import { reportSearch } from './reports/backlinks/report/search.ts';
import { toOwnReport } from './reports/backlinks/report/source.ts';
import { reportQuery, runningAnalysesQuery } from './reports/backlinks/screen.ts';
import { riskAssessmentSearch } from './reports/backlinks/search.ts';
import { filesQuery } from './reports/disavow-files/queries.ts';
import { manageWebsitesSearch } from './reports/websites/search.ts';
import { ownedWebsitesQuery, websitesQuery } from './reports/websites/websites.ts';

/** A visit of a screen by a user, or the link to it that the pointer or the focus is on. */
interface Visit {
  /** Whether it is only the link. Nothing is requested then that counts for a limit or is logged. */
  isPreload: boolean;
  params: Partial<Record<string, string>>;
  search: object;
  user: User;
}

/** Requests a response, unless the screen would not. */
type Load = <Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>) => void;

type Queries = (visit: Visit & { load: Load }) => void;

/** Requests what the screen with this path shows first. */
export function loadScreenData(client: QueryClient, path: string, visit: Visit): void {
  const { [path]: queries }: Partial<Record<string, Queries>> = screenQueries;
  queries?.({ ...visit, load: (query) => loadEarly(client, query) });
}

const loadDomains: Queries = ({ load, search, user, isPreload }) => {
  const parsed = domainsSearch.parse(search);
  if (parsed.list === undefined && !(isPreload && parsed.search)) load(domainsQuery(toListQuery(parsed, user.isAdmin)));
  load(statsQuery);
  if (Object.values(parsed).every((value) => value === undefined)) load(viewsQuery);
};

/** Requests a report of the user, and what the screen shows with it. */
function loadReport(load: Load, id: number, lost: 'include' | undefined): void {
  if (!(id > 0)) return;
  load(reportQuery(id));
  load(overviewQuery(id, lost));
  load(websitesQuery);
}

const screenQueries: Partial<Record<(typeof paths)[keyof typeof paths], Queries>> = {
  [paths.home]: ({ load }) => load(websitesQuery),
  [paths.updates]: ({ load }) => load(updatesQuery),
  [paths.domainPage]: ({ load, params, isPreload }) => {
    if (!isPreload) load(verdictQuery(params.name ?? ''));
  },
  [paths.dashboard]: loadDomains,
  [paths.domains]: loadDomains,
  [paths.riskAssessment]: ({ load, search }) => {
    const { tab, profile, report, analysis, result, lost } = riskAssessmentSearch.parse(search);
    const hasReports = tab === 'reports' || (tab === undefined && (profile ?? report) !== undefined);
    if (hasReports || !(analysis || result)) load(websitesQuery);
    else if (result) loadReport(load, result, lost);
    if (hasReports || !(analysis || result)) load(runningAnalysesQuery);
    if (report) loadReport(load, report, lost);
  },
  [paths.alerts]: ({ load, search }) => {
    load(alertsQuery(alertsSearch.parse(search)));
    load(websitesQuery);
  },
  [paths.report]: ({ load, search, params }) => {
    const id = Number(params.id);
    const parsed = reportSearch.parse(search);
    loadReport(load, id, parsed.lost);
    load(reviewQuery(toOwnReport(id), toFilter(parsed), (parsed.page ?? 1) - 1, () => undefined));
  },
  [paths.disavow]: ({ load, params }) => {
    load(websitesQuery);
    load(filesQuery(Number(params.id)));
  },
  [paths.submitSites]: ({ load, search }) => load(ownSubmissionsQuery((submitSearch.parse(search).page ?? 1) - 1)),
  [paths.account]: ({ load, search, user, isPreload }) => {
    const { tab = 'websites' } = accountSearch.parse(search);
    load(subscriptionQuery);
    if (tab === 'websites' || tab === 'profile' || !user.isEmailConfirmed) load(accountQuery);
    if (tab === 'websites' || tab === 'notifications') load(websitesQuery);
    if (tab === 'notifications') {
      load(alertFeedQuery);
      load(webhooksQuery);
      load(newsQuery);
    }
    if (tab === 'api-keys' && !isPreload) load(apiKeysQuery(user.id));
    if (tab === 'profile') {
      load(sessionsQuery);
      load(accessQuery);
    }
  },
  [paths.connect]: ({ load, search }) => {
    const { request } = connectSearch.parse(search);
    if (request) load(accessRequestQuery(request));
  },
  [paths.admin]: ({ load }) => {
    load(adminStatusQuery);
    load(freshStatsQuery);
    load(userCountQuery);
  },
  [paths.adminPanel]: ({ load, search }) => {
    const { tab, search: text, show, page = 1 } = adminPanelSearch.parse(search);
    if (tab === 'users') load(usersQuery({ ...(text && { search: text }), ...(show && { show }), page: page - 1 }));
    if (tab === 'system') load(systemQuery);
  },
  [paths.adminWebsites]: ({ load, search }) => {
    const { search: text, page = 1 } = manageWebsitesSearch.parse(search);
    load(ownedWebsitesQuery({ ...(text && { search: text }), page: page - 1 }));
  },
  [paths.adminSubmissions]: ({ load, search }) => {
    const { status = 'pending', page = 1, pageSize = defaultSubmissionPageSize } = reviewSearch.parse(search);
    load(submissionsQuery({ status, page: page - 1, pageSize }));
  },
  [paths.adminDiscoveries]: ({ load, search }) => {
    const { status = 'proposed', page = 1 } = discoveriesSearch.parse(search);
    load(discoveriesQuery({ status, page: page - 1 }));
  },
  [paths.adminSources]: ({ load, search }) => {
    load(sourceRunsQuery);
    const { tab, search: text, kind, page = 1 } = sourcesSearch.parse(search);
    if (tab) load(familiesQuery);
    else load(sourcesQuery({ ...(text && { search: text }), ...(kind && { kind }), page: page - 1 }));
  },
  [paths.adminHeld]: ({ load, search: given }) => {
    const { tab, search, page = 1 } = heldSearch.parse(given);
    if (tab === undefined) load(heldQuery({ search, page: page - 1 }));
  },
  [paths.adminFeeds]: ({ load }) => load(feedsQuery),
  [paths.adminInbox]: ({ load, search }) => {
    const parsed = inboxSearch.parse(search);
    load(messagesQuery(toMessageQuery(parsed)));
    load(countsQuery(parsed.search));
  },
};
