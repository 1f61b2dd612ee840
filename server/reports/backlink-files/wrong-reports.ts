import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { anchorColumns, getColumnRole, ipColumns, queryColumns } from './column-names.ts';

/** What every message about a wrong report ends with. */
export const insteadExport =
  'Export your backlinks or referring domains instead. In Search Console: Links, Export external links, Latest links.';

const messages = {
  'own pages': `This file lists pages of your own website, not the pages that link to it. ${insteadExport}`,
  targets: `This file lists the pages that links point to, not the pages that contain the links. ${insteadExport}`,
  'top pages': `This is a report of top pages. It lists pages of your own website, not the pages that link to it. ${insteadExport}`,
  'anchor texts': `This is a report of anchor texts. It does not say which pages link to you. ${insteadExport}`,
  queries: `This is a report of search queries, not of links. ${insteadExport}`,
  'IP addresses': `This is a report of referring IP addresses. It does not say which domains link to you. ${insteadExport}`,
  'outgoing links': `This is a report of outgoing links: the pages that a website links to, not the pages that link to it. ${insteadExport}`,
  'broken links': `This is a report of broken links: the pages that a website links to, not the pages that link to it. ${insteadExport}`,
  'no addresses': `No column of this file contains website addresses. ${insteadExport}`,
} as const;

export type WrongReport = keyof typeof messages;

const codes: Partial<Record<WrongReport, UnreadableFile['code']>> = {
  'own pages': 'own_pages',
  targets: 'own_pages',
  'top pages': 'own_pages',
  'no addresses': 'no_addresses',
};

/** Returns the error for a file that is not a list of backlinks. Its message names the report and the right export. */
export function wrongReportError(report: WrongReport): UnreadableFile {
  return new UnreadableFile(codes[report] ?? 'wrong_report', messages[report]);
}

/** Columns of reports about visits from search results, in the languages of Search Console. */
const searchMetrics = [
  'clicks',
  'impressions',
  'ctr',
  'klicks',
  'impressionen',
  'clics',
  'impresiones',
  'clic',
  'impressioni',
  'cliques',
  'impressões',
  'klikken',
  'vertoningen',
  'kliknięcia',
  'wyświetlenia',
  'tıklamalar',
  'gösterimler',
  'клики',
  'показы',
  'クリック数',
  '表示回数',
  '点击次数',
  '展示',
];
const keywordMetrics = ['volume', 'search volume', 'kd', 'keyword difficulty', 'difficulty', 'cpc', 'position'];
/** Columns of reports about the sites that a website links to. */
const outgoingColumns = ['linked domain', 'links from target', 'dofollow links from target'];
const pageColumns = ['page', 'pages', 'top pages', 'url', 'landing page', 'top linked pages', 'target page'];

/**
 * Recognizes a report that can contain addresses but no linking pages, by its header.
 * @param names the normalized names of the columns
 */
export function recognizeWrongReport(names: readonly string[]): WrongReport | undefined {
  const has = (wanted: Iterable<string>) => [...wanted].some((name) => names.includes(name));
  const roles = new Set(names.map(getColumnRole));
  if (roles.has('source') || (roles.has('ambiguous') && roles.has('target'))) return undefined;
  if (has(queryColumns) && has([...searchMetrics, ...keywordMetrics])) return 'queries';
  if (has(outgoingColumns)) return 'outgoing links';
  if (has(pageColumns) && has([...searchMetrics, 'top keyword', 'incoming links'])) return 'top pages';
  return undefined;
}

/** Whether the columns count visits from search results. */
export function hasSearchMetrics(names: readonly string[]): boolean {
  return searchMetrics.filter((name) => names.includes(name)).length > 1;
}

/** Names the report of a file without linking pages, by its header. */
export function nameReportWithoutLinks(names: readonly string[]): WrongReport {
  if (names.some((name) => ipColumns.has(name))) return 'IP addresses';
  if (names.some((name) => anchorColumns.has(name))) return 'anchor texts';
  return names.some((name) => queryColumns.has(name)) ? 'queries' : 'no addresses';
}
