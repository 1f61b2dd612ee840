import { toMonthId, type UpdateMonth, updatesFeedPath } from '#shared/blacklist/updates.ts';
import { escapeHtml } from '#shared/platform/html.ts';
import type { AtomEntry, AtomFeed } from '../../platform/http/atom.ts';

interface AtomOptions {
  /** Scheme, host and port of the site. */
  origin: string;
  author: AtomFeed['author'];
}

/** Returns the updates as an Atom feed with one entry per month. The ids of the entries never change. */
export function toAtomFeed(months: readonly UpdateMonth[], { origin, author }: AtomOptions): AtomFeed {
  const page = `${origin}/updates`;
  return {
    id: page,
    title: 'Linksieve blacklist updates',
    subtitle: 'What was added to and removed from the paid-link blacklist in each month',
    author,
    self: origin + updatesFeedPath,
    page,
    entries: months.map((month) => toEntry(month, page)),
  };
}

function toEntry(month: UpdateMonth, page: string): AtomEntry {
  const url = `${page}#${toMonthId(month.month)}`;
  return {
    id: url,
    title: `${monthName.format(new Date(`${month.month}-01T00:00:00Z`))}: ${describeTotals(month)}`,
    updatedAt: new Date(month.updatedAt),
    page: url,
    content: renderContent(month),
  };
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
