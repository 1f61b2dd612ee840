import { escapeHtml } from '#shared/html.ts';
import { toMonthId, type UpdateMonth, updatesFeedPath } from '#shared/updates.ts';

interface AtomOptions {
  /** Scheme, host and port of the site. */
  origin: string;
  author: { name: string; url: string | undefined };
}

/** Returns when the newest entry of the feed changed; the start of 1970 for a feed without entries. */
export function getFeedDate(months: readonly UpdateMonth[]): Date {
  return new Date(Math.max(0, ...months.map(({ updatedAt }) => Date.parse(updatedAt))));
}

/** Returns the updates as an Atom feed (RFC 4287) with one entry per month. The ids of the entries never change. */
export function renderAtom(months: readonly UpdateMonth[], { origin, author }: AtomOptions): string {
  const page = `${origin}/updates`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US">
  <id>${xml(page)}</id>
  <title>Linksieve blacklist updates</title>
  <subtitle>What was added to and removed from the paid-link blacklist in each month</subtitle>
  <updated>${getFeedDate(months).toISOString()}</updated>
  <author><name>${xml(author.name)}</name>${author.url ? `<uri>${xml(author.url)}</uri>` : ''}</author>
  <link rel="self" type="application/atom+xml" href="${xml(origin + updatesFeedPath)}"/>
  <link rel="alternate" type="text/html" href="${xml(page)}"/>
${months.map((month) => renderEntry(month, page)).join('')}</feed>
`;
}

function renderEntry(month: UpdateMonth, page: string): string {
  const url = `${page}#${toMonthId(month.month)}`;
  const title = `${monthName.format(new Date(`${month.month}-01T00:00:00Z`))}: ${describeTotals(month)}`;
  return `  <entry>
    <id>${xml(url)}</id>
    <title>${xml(title)}</title>
    <updated>${month.updatedAt}</updated>
    <link rel="alternate" type="text/html" href="${xml(url)}"/>
    <content type="html">${xml(renderContent(month))}</content>
  </entry>
`;
}

/** '1,200 domains added, 1 domain removed' */
function describeTotals({ added, removed }: UpdateMonth): string {
  return `${count(added)} added, ${count(removed)} removed`;
}

function renderContent(month: UpdateMonth): string {
  const rows = month.lists.map(({ name, homepage, licence, kind, added, removed }) => {
    const title = homepage ? `<a href="${escapeHtml(homepage)}">${escapeHtml(name)}</a>` : escapeHtml(name);
    const facts = [licence && `license: ${escapeHtml(licence)}`, kind === 'allow' && 'protects sites'].filter(Boolean);
    return `<li>${title}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}: ${count(added)} added, ${count(removed)} removed</li>`;
  });
  if (month.imports > 0) {
    const imports = month.imports === 1 ? '1 import' : `${number.format(month.imports)} imports`;
    rows.push(`<li>${imports} by admins: ${count(month.imported)} added</li>`);
  }
  return `<p>${describeTotals(month)}.</p>${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : ''}`;
}

const number = new Intl.NumberFormat('en-US');
const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const count = (domains: number) => (domains === 1 ? '1 domain' : `${number.format(domains)} domains`);

/** Characters that XML 1.0 does not allow, not even escaped. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const xml = (text: string) => escapeHtml(text.replaceAll(forbidden, ''));
