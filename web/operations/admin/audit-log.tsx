import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { type AuditEvent, exportAuditEvents } from '#shared/platform/audit.ts';
import { buildUrl } from '../../platform/api.ts';
import { formatBytes, formatCount, plural } from '../../platform/format.ts';
import { DateText } from '../../ui/date-text.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { ProvenDownload } from '../../ui/proven-download.tsx';
import { QueryTable } from '../../ui/query-table.tsx';
import type { Column } from '../../ui/table.tsx';
import { Hint } from '../../ui/typography.ts';
import { AccountActivity } from './account-activity.tsx';
import styles from './panel-list.module.css';
import { auditEventKindsQuery, auditEventsQuery, useAdminPanel } from './queries.ts';
import type { AdminPanelSearch } from './search.ts';

const columns: Column<AuditEvent>[] = [
  { name: 'Event', width: '19%', onCard: 'title', cell: ({ event }) => event },
  { name: 'User', width: '13%', cell: ({ username }) => username },
  { name: 'Details', cell: ({ event, details }) => eventText(event, details) || '–' },
  { name: 'Date', width: '222px', cell: ({ date }) => <DateText value={date} pattern="time" /> },
  { name: 'IP address', width: '140px', cell: ({ address }) => address ?? '–' },
];

const toFilter = ({ event, user }: AdminPanelSearch) => ({ ...(event && { event }), ...(user && { user }) });

/** The Audit Log screen: a filterable table of changes with a CSV export, or the security activity of all accounts. */
export function AuditLog() {
  const { search, show } = useAdminPanel();
  const { log } = search;
  const choice = (
    <SelectField
      className={styles.filter}
      aria-label="Log"
      options={logs}
      value={log ?? ''}
      onChange={(next) =>
        void show({
          log: next === 'security' ? next : undefined,
          event: undefined,
          user: undefined,
          eventsPage: undefined,
        })
      }
    />
  );
  return log === 'security' ? <AccountActivity choice={choice} /> : <Changes choice={choice} />;
}

/** Sign-ins are far more frequent than changes, so they have a list of their own. */
const logs = [
  { value: '', label: 'Changes' },
  { value: 'security', label: 'Security activity' },
];

function Changes({ choice }: { choice: ReactNode }) {
  const { search, show, goToPage } = useAdminPanel();
  const { event, user, eventsPage = 1 } = search;
  const events = useQuery(auditEventsQuery({ ...toFilter(search), page: eventsPage - 1 }));
  const kinds = useQuery(auditEventKindsQuery).data;
  return (
    <>
      <div className={styles.bar}>
        {choice}
        <SelectField
          className={styles.filter}
          aria-label="Event"
          options={buildOptions('All events', kinds?.events, event)}
          value={event ?? ''}
          onChange={(next) => void show({ event: next || undefined, eventsPage: undefined })}
        />
        <SelectField
          className={styles.filter}
          aria-label="User"
          options={buildOptions('All users', kinds?.usernames, user)}
          value={user ?? ''}
          onChange={(next) => void show({ user: next || undefined, eventsPage: undefined })}
        />
        <ProvenDownload
          href={buildUrl(exportAuditEvents, {}, toFilter(search))}
          className={styles.push}
          leftSection={<Download size={16} aria-hidden />}
        >
          Export CSV
        </ProvenDownload>
      </div>
      <QueryTable
        label="Audit log"
        pagesLabel="Pages of the audit log"
        columns={columns}
        query={events}
        getRows={(response) => response.events}
        getRowKey={({ id }) => id}
        page={eventsPage}
        onPage={(next, replace) => void goToPage(next, replace, 'eventsPage')}
        empty={<Hint>{event || user ? 'No events match this filter.' : 'No events yet.'}</Hint>}
      />
    </>
  );
}

/** The options of a select. Includes the selected value even while the list is loading. */
function buildOptions(allLabel: string, names: string[] = [], selected: string | undefined) {
  const known = selected === undefined || names.includes(selected) ? names : [selected, ...names];
  return [{ value: '', label: allLabel }, ...known.map((name) => ({ value: name, label: name }))];
}

type Details = Record<string, unknown>;

/** The details of an event as text: 'casino.example (#5) was approved and added to the blacklist'. */
export function eventText(event: string, details: Details): string {
  return (eventFormats[event] ?? detailsText)(details);
}

/** Formats for events whose details need more than a list of fields. */
const eventFormats: Record<string, (details: Details) => string> = {
  'Decided on a site submission': decisionText,
  'Started maintenance': ({ run, joined }) => (joined ? `Run #${run} was already in progress` : `Run #${run}`),
  'Updated risk levels': ({ stats }) => valueText(stats, riskOrder),
  'Imported domains': importText,
  'Checked an import file': ({ file, bytes }) => importText({ file, bytes }),
  'Canceled an import': importText,
  'Exported all data': () => 'The whole blacklist',
  'Exported domains': (filter) => filterText(filter) ?? 'The whole blacklist',
  'Exported the audit log': (filter) => filterText(filter) ?? 'The whole log',
  'Read a message': messageText,
  'Marked a message as replied': messageText,
  'Replied to a message': messageText,
  'Deleted a message': messageText,
};

/** The same order as in the toast of an update. */
const riskOrder = ['veryHigh', 'high', 'medium', 'low'];

const outcomes: Record<string, string> = {
  added: ' and added to the blacklist',
  updated: '; its existing entry was updated',
  unchanged: '; its existing entry did not change',
};

function decisionText({ status, outcome, reason, overruled, ...others }: Details): string {
  const effect = typeof outcome === 'string' ? (outcomes[outcome] ?? '') : '';
  const because = typeof reason === 'string' ? `: ${quoted(reason)}` : '';
  const despite = typeof overruled === 'string' ? `, overruling ${quoted(overruled)}` : '';
  return `${detailsText(others)} was ${status}${effect}${despite}${because}`;
}

/** The counts are missing until the import has finished. */
function importText({ file, bytes, status, imported, updated, failed }: Details): string {
  const parts = [String(file)];
  if (typeof bytes === 'number') parts.push(formatBytes(bytes));
  if (status === 'failed' || status === 'cancelled') parts.push('nothing was imported');
  else if (imported !== undefined) parts.push(detailsText({ imported, updated, failed }));
  return parts.join(', ');
}

function messageText({ id, subject, ...others }: Details): string {
  const message = id === undefined ? 'Message' : `Message #${id}`;
  const title = subject === undefined ? message : `${message}, ${quoted(subject)}`;
  return [title, detailsText(others)].filter(Boolean).join(', ');
}

/** 'Filter: TLD “xyz”'; undefined without a filter. */
function filterText(filter: Details): string | undefined {
  const text = detailsText(filter);
  return text === '' ? undefined : `Filter: ${text}`;
}

/** All details as a list: 'casino.example (#5)', '3 domains: a.example, b.example, …'. */
function detailsText(details: Details): string {
  const { id, domain, username, name, count, domains, from, to, changed, ...others } = details;
  const parts: string[] = [];
  const title = [domain, username, name].find((one) => typeof one === 'string');
  if (title !== undefined) parts.push(id === undefined ? String(title) : `${title} (#${id})`);
  else if (id !== undefined) parts.push(`#${id}`);
  if (to !== undefined) parts.push(`from ${from ?? 'no owner'} to ${to}`);
  if (typeof count === 'number') parts.push(countText(count, domains));
  for (const [field, change] of Object.entries(changed ?? {})) parts.push(`${toWords(field)} ${changeText(change)}`);
  for (const [key, value] of Object.entries(others)) parts.push(`${toWords(key)} ${quoted(value)}`);
  return parts.join(', ');
}

const maxNamesShown = 5;

function countText(count: number, domains: unknown): string {
  const text = plural(count, 'domain');
  if (!Array.isArray(domains) || domains.length === 0) return text;
  const names = domains.slice(0, maxNamesShown).join(', ');
  return `${text}: ${names}${count > maxNamesShown ? ', …' : ''}`;
}

function changeText({ from, to }: { from: unknown; to: unknown }): string {
  return `from ${quoted(from)} to ${quoted(to)}`;
}

const quoted = (value: unknown) => (typeof value === 'string' ? `“${value}”` : valueText(value));

/**
 * Labels for keys that are not words. `act` and `person` are the names of the audit log's filter in events that were
 * stored before version 0.2.0.
 */
const keyLabels: Record<string, string> = {
  tld: 'TLD',
  dateAdded: 'added after',
  jobId: 'job ID',
  act: 'event',
  person: 'user',
};

/** Converts a key to words: 'riskLevel' to 'risk level'. */
function toWords(key: string): string {
  return keyLabels[key] ?? key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** @param order the keys of an object that come first; the database does not preserve their order */
function valueText(value: unknown, order: readonly string[] = []): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatCount(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((one) => valueText(one)).join(', ');
  if (typeof value !== 'object') return String(value);
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
  const entries = Object.entries(value).toSorted(([a], [b]) => rank(a) - rank(b));
  return entries.map(([key, part]) => `${valueText(part)} ${toWords(key)}`).join(', ');
}
