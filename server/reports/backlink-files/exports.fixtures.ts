/** Fixtures of the exports that users upload, each with the columns, encoding and layout of its tool. */
import {
  anchor,
  buildExport,
  buildFixture,
  type ExportFixture,
  type Link,
  splitHeader,
  target,
  title,
  utf8WithMark,
  utf16,
} from './export-layout.fixtures.ts';

const ahrefsHeader = splitHeader(
  'Referring page title,Referring page URL,Language,Platform,Referring page HTTP code,Domain rating,UR,Domain traffic,Referring domains,Linked domains,External links,Page traffic,Keywords,Target URL,Left context,Anchor,Right context,Redirect Chain URLs,Redirect Chain status codes,Type,Is spam,Content,Nofollow,UGC,Sponsored,Rendered,Raw,Lost status,Drop reason,Discovered status,First seen,Last seen,Lost,Author,Page type,Page category,Links in group',
);
const ahrefs = (link: Link) => ({
  'Referring page title': title(link),
  'Referring page URL': link.page,
  Language: 'en',
  'Domain rating': '0.9',
  'Target URL': target(link),
  Anchor: anchor(link),
  'Redirect Chain URLs': 'https://mine.example/old/',
  'Is spam': 'false',
  Nofollow: 'true',
  'First seen': '2025-01-02 03:04:05',
});
const ahrefsOldHeader = splitHeader(
  '#,Domain Rating,URL Rating (desc),Referring Domains,Referring Page URL,Referring Page Title,Internal Links Count,External Links Count,Link URL,TextPre,Link Anchor,TextPost,Type,Backlink Status,First Seen,Last Check,Day Lost,Language,Traffic,Keywords,Js rendered,Linked Domains',
);
const ahrefsOld = (link: Link, index: number) => ({
  '#': String(index + 1),
  'Referring Page URL': link.page,
  'Referring Page Title': title(link),
  'Link URL': target(link),
  'Link Anchor': anchor(link),
});
const ahrefsDomainsHeader = splitHeader(
  'Domain,Is spam,DR,Dofollow ref. domains,Dofollow linked domains,Traffic ,Keywords,Links to target,New links,Lost links,Dofollow links,First seen,Lost',
);
const ahrefsDomains = (link: Link) => ({
  Domain: link.page,
  'Is spam': 'false',
  DR: '12',
  Traffic: '1',
  'Links to target': '3',
});
const source = (link: Link) => ({
  'Source title': title(link),
  'Source url': link.page,
  'Target url': target(link),
  Anchor: anchor(link),
});
const tabbed = { delimiter: '\t', quoteAll: true, encode: utf16, eol: '\r\n' };
const ahrefsBacklinks = { tool: 'Ahrefs', report: 'Backlinks' };
const semrushBacklinks = { tool: 'Semrush', report: 'Backlinks', column: 'Source url' };
const searchConsole = { tool: 'Google Search Console' };

export const exportFixtures: readonly ExportFixture[] = [
  buildFixture(
    { name: 'Ahrefs backlinks, UTF-16', ...ahrefsBacklinks, column: 'Referring page URL' },
    { header: ahrefsHeader, cells: ahrefs, ...tabbed },
  ),
  buildFixture(
    { name: 'Ahrefs backlinks, UTF-8', ...ahrefsBacklinks, column: 'Referring page URL' },
    { header: ahrefsHeader, cells: ahrefs },
  ),
  buildFixture(
    { name: 'Ahrefs backlinks, older, UTF-16', ...ahrefsBacklinks, column: 'Referring Page URL' },
    { header: ahrefsOldHeader, cells: ahrefsOld, ...tabbed },
  ),
  buildFixture(
    { name: 'Ahrefs backlinks, older, UTF-8', ...ahrefsBacklinks, column: 'Referring Page URL' },
    { header: ahrefsOldHeader, cells: ahrefsOld },
  ),
  buildFixture(
    {
      name: 'Ahrefs referring domains, UTF-16',
      tool: 'Ahrefs',
      report: 'Referring domains',
      column: 'Domain',
      bareDomains: true,
    },
    { header: ahrefsDomainsHeader, cells: ahrefsDomains, ...tabbed },
  ),
  buildFixture(
    {
      name: 'Ahrefs referring domains, UTF-8',
      tool: 'Ahrefs',
      report: 'Referring domains',
      column: 'Domain',
      bareDomains: true,
    },
    { header: ahrefsDomainsHeader, cells: ahrefsDomains },
  ),
  buildFixture(
    { name: 'Semrush backlinks', ...semrushBacklinks },
    {
      header: splitHeader(
        'Page ascore,Source title,Source url,Target url,Anchor,External links,Internal links,Nofollow,Sponsored,Ugc,Text,Frame,Form,Image,Sitewide,First seen,Last seen,New link,Lost link',
      ),
      cells: (link) => ({ 'Page ascore': '7', ...source(link), Nofollow: 'false' }),
      encode: utf8WithMark,
    },
  ),
  buildFixture(
    { name: 'Semrush backlinks, older', ...semrushBacklinks },
    {
      header: splitHeader(
        'Page score,Page trust score,Source title,Source url,Target url,Anchor,External links,Internal links,First seen,Last seen',
      ),
      cells: (link) => ({ 'Page score': '7', ...source(link) }),
    },
  ),
  buildFixture(
    { name: 'Semrush Backlink Audit', tool: 'Semrush', report: 'Backlink Audit', column: 'Source url' },
    {
      header: splitHeader(
        'Source title,Source url,Target url,Anchor,Toxicity Score,Toxic markers,First seen,Last seen,Nofollow',
      ),
      cells: (link) => ({ ...source(link), 'Toxicity Score': '55' }),
    },
  ),
  buildFixture(
    {
      name: 'Semrush referring domains',
      tool: 'Semrush',
      report: 'Referring domains',
      column: 'Domain',
      bareDomains: true,
    },
    {
      header: splitHeader('Domain ascore,Domain,Backlinks,IP Address,Country,First seen,Last seen'),
      cells: (link) => ({ 'Domain ascore': '3', Domain: link.page, Backlinks: '4', 'IP Address': '192.0.2.7' }),
    },
  ),
  buildFixture(
    { name: 'Majestic backlinks', tool: 'Majestic', report: 'Backlinks', column: 'SourceURL' },
    {
      header: splitHeader(
        'SourceURL,AnchorText,SourceTrustFlow,SourceCitationFlow,Domain,DomainTrustFlow,DomainCitationFlow,FirstIndexedDate,LastSeenDate,FlagNoFollow,FlagDeleted,TargetURL,TargetTrustFlow,TargetCitationFlow',
      ),
      cells: (link) => ({
        SourceURL: link.page,
        AnchorText: anchor(link),
        Domain: 'wrong.example',
        TargetURL: target(link),
      }),
      quoteAll: true,
      encode: utf8WithMark,
    },
  ),
  buildFixture(
    { name: 'Majestic raw download', tool: 'Majestic', report: 'Raw backlinks', column: 'Source URL' },
    {
      header: splitHeader(
        'Target URL,Source URL,Anchor Text,Source Crawl Date,Source First Found Date,FlagNoFollow,FlagImageLink,FlagRedirect,FlagFrame,FlagOldCrawl,FlagAltText,FlagMention,Source Citation Flow,Source Trust Flow,Target Citation Flow,Target Trust Flow,Source Topical Trust Flow Topic 0,Source Topical Trust Flow Value 0,Target Topic 0,Target Value 0',
      ),
      cells: (link) => ({ 'Target URL': target(link), 'Source URL': link.page, 'Anchor Text': anchor(link) }),
    },
  ),
  buildFixture(
    {
      name: 'Majestic referring domains',
      tool: 'Majestic',
      report: 'Referring domains',
      column: 'Domain',
      bareDomains: true,
    },
    {
      header: splitHeader(
        'Position,Domain,RefDomains,AlexaRank,RefIPs,IP,CitationFlow,TrustFlow,BackLinks_www.mine.example,RefDomains_mine.example',
      ),
      cells: (link, index) => ({ Position: String(index + 1), Domain: link.page, IP: '192.0.2.9', TrustFlow: '10' }),
      quoteAll: true,
      eol: '\r\n',
      encode: utf8WithMark,
    },
  ),
  buildFixture(
    { name: 'Moz inbound links', tool: 'Moz', report: 'Inbound links', column: 'URL' },
    {
      header: splitHeader(
        'URL,Title,Anchor Text,Spam Score,Page Authority,Domain Authority,Linking Domains,Inbound Links,Origin,Target URL,Link Equity,No Follow,Only Follow,301',
      ),
      cells: (link) => ({
        URL: link.page.replace(/^https?:\/\//, ''),
        Title: title(link),
        'Spam Score': '--',
        Origin: 'External',
        'Target URL': 'www.mine.example/page',
      }),
      preamble: [
        'Inbound links for mine.example',
        'Created,"January 2, 2025"',
        '',
        '"Filter: all, links"',
        'Pages: 120',
      ],
    },
  ),
  buildFixture(
    { name: 'Search Console, latest links', ...searchConsole, report: 'Latest links', column: 'Linking page' },
    {
      header: splitHeader('Linking page,Last crawled'),
      cells: (link) => ({ 'Linking page': link.page, 'Last crawled': '2025-01-02' }),
      eol: '\r\n',
    },
  ),
  buildFixture(
    {
      name: 'Search Console, top linking sites',
      ...searchConsole,
      report: 'Top linking sites',
      column: 'Site',
      bareDomains: true,
    },
    {
      header: splitHeader('Site,Linking pages,Target pages'),
      cells: (link) => ({ Site: link.page, 'Linking pages': '1,240', 'Target pages': '3' }),
    },
  ),
  buildFixture(
    { name: 'Ubersuggest', tool: 'Ubersuggest', report: 'Backlinks', column: 'Source URL' },
    {
      header: splitHeader(
        'No,Source Page Title,Source URL,Target URL,Domain Authority,Page Authority,Spam Score,Anchor Text,First Seen,Last Seen',
      ),
      cells: (link, index) => ({
        No: String(index + 1),
        'Source Page Title': title(link),
        'Source URL': link.page,
        'Target URL': target(link),
        'Spam Score': 'null',
        'Anchor Text': anchor(link),
      }),
      encode: utf8WithMark,
    },
  ),
  buildFixture(
    { name: 'AgencyAnalytics', tool: 'AgencyAnalytics', report: 'Backlinks', column: 'Link' },
    {
      header: splitHeader('Link,Anchor Text,Trust Flow,Citation Flow'),
      cells: (link) => ({ Link: link.page, 'Anchor Text': anchor(link) }),
    },
  ),
  buildFixture(
    { name: 'generic backlinks', tool: 'CSV file', report: 'List of links', column: 'source_url' },
    {
      header: splitHeader('source_url,target_url,anchor_text'),
      cells: (link) => ({ source_url: link.page, target_url: target(link), anchor_text: anchor(link) }),
    },
  ),
  ...(['url', 'backlink', 'URL_from'] as const).map((name) =>
    buildFixture(
      { name: `generic, ${name}`, tool: 'CSV file', report: 'List of links', column: name },
      { header: [name, 'note'], cells: (link) => ({ [name]: link.page, note: 'x' }) },
    ),
  ),
  ...(['domain', 'referring domain'] as const).map((name) =>
    buildFixture(
      { name: `generic, ${name}`, tool: 'CSV file', report: 'List of domains', column: name, bareDomains: true },
      { header: [name, 'note'], cells: (link) => ({ [name]: link.page, note: 'x' }) },
    ),
  ),
];

/** Builds Search Console's list of the user's own pages, which must be rejected. */
export function buildTopLinkedPages(
  pages: readonly string[],
  header = ['Target page', 'Incoming links', 'Linking sites'],
): Buffer {
  return buildExport(
    { header, cells: (link) => ({ [header[0] ?? '']: link.page, [header[1] ?? '']: '1,240' }) },
    pages.map((page) => ({ page })),
  );
}

/**
 * Builds Search Console's latest links in another language, where the source column is recognizable only by its
 * content.
 */
export function buildLocalizedLinks(links: readonly Link[], header: readonly [string, string]): Buffer {
  return buildExport(
    {
      header: ['Nr.', ...header],
      cells: (link, index) => ({ 'Nr.': String(index + 1), [header[0]]: link.page, [header[1]]: '02.01.2025' }),
      delimiter: ';',
      eol: '\r\n',
      encode: utf8WithMark,
    },
    links,
  );
}
