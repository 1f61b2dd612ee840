import { paths } from '../paths.ts';

export interface Feature {
  title: string;
  text: string;
  link?: { to: typeof paths.domains | typeof paths.riskAssessment | typeof paths.submitSites; words: string };
  /** A page for anybody, instead. */
  read?: { to: typeof paths.apiDocs; words: string };
}

export const coreFeatures: readonly Feature[] = [
  {
    title: 'A searchable blacklist',
    text: 'Type part of a name or paste the address of a page. Filter by ending, niche, risk level and the date a domain was added, sort by name, risk, date, domain rating or price. Totals are exact, and the address bar keeps the filter: send it to a colleague.',
    link: { to: paths.domains, words: 'Search the database' },
  },
  {
    title: 'Risk levels with a rule',
    text: 'A domain that one source names is low risk, two or three make it medium, four high, five or more very high. You see the number of sources and since when the domain is listed.',
  },
  {
    title: 'Backlink risk assessment',
    text: 'Upload your backlink export and get a report: how many of the linking domains are listed, every harmful link with its page, its risk level and the reason.',
    link: { to: paths.riskAssessment, words: 'Run Risk Assessment' },
  },
  {
    title: 'Exports as your tool wrote them',
    text: 'Ahrefs, Semrush, Majestic, Moz, Google Search Console, Ubersuggest, AgencyAnalytics, generic CSV and plain lists. Delimiter, encoding, quotes and the lines before the header are recognised; the report says what the file was taken for.',
  },
  {
    title: 'CSV and disavow files',
    text: "Harmful links as CSV for your own review, harmful domains as a text file for Google's disavow tool: one domain a line, lower case, each once.",
  },
  {
    title: 'Every website you look after',
    text: 'A website profile keeps all reports of one website, newest first, with the change since the one before and the trend over time. There is no limit to the number of profiles.',
  },
];

export const advancedFeatures: readonly Feature[] = [
  {
    title: 'Large files',
    text: 'Exports up to 200 MB are read as a stream. You see the progress, may close the page meanwhile and come back, or cancel.',
  },
  {
    title: 'No row vanishes',
    text: 'Rows that cannot be used are counted by reason: empty, not a domain, your own website, malformed. The first lines of each reason are named.',
  },
  {
    title: 'Subdomains count',
    text: 'A listed domain covers everything below it. On shared hosts, where each subdomain belongs to somebody else, only the listed subdomain is meant.',
  },
  {
    title: 'Reports keep their truth',
    text: 'A report shows what the blacklist said on the day it was made. Upload again to compare with the database of today.',
  },
  {
    title: 'API for your own tools',
    text: 'Check one domain or up to 500 at once with an API key. Keys are made and deleted in your account, each with its own count of requests.',
    read: { to: paths.apiDocs, words: 'Read the API documentation' },
  },
  {
    title: 'Submit what you find',
    text: 'You were offered a link for money? Send the domain with your evidence. It is reviewed before it enters the blacklist.',
    link: { to: paths.submitSites, words: 'Submit a site' },
  },
];

/** What Full Access allows: everybody has it. */
export const fullAccess: readonly string[] = [
  'Unlimited searches',
  'Unlimited website profiles',
  '1000 API requests per day',
  'Up to 5 API keys',
  'Bulk check of up to 500 domains per request',
  'CSV and disavow exports',
];
