import { Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type AdminAct, exportActs } from '#shared/admin.ts';
import { buildUrl } from '../lib/api.ts';
import { formatBytes, formatCount, plural } from '../lib/format.ts';
import { ButtonAnchor } from '../ui/button.tsx';
import type { Column } from '../ui/card-table.tsx';
import { DateText } from '../ui/date-text.tsx';
import { SelectField } from '../ui/fields.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import styles from './panel-list.module.css';
import { actKindsQuery, actsQuery, usePanel } from './queries.ts';

const columns: Column<AdminAct>[] = [
  { name: 'What', width: '19%', onCard: 'title', cell: ({ act }) => act },
  { name: 'Who', width: '13%', cell: ({ username }) => username },
  { name: 'Details', cell: ({ act, details }) => actWords(act, details) || '–' },
  { name: 'When', width: '222px', cell: ({ date }) => <DateText value={date} pattern="time" /> },
  { name: 'From', width: '140px', cell: ({ address }) => address ?? 'Command line' },
];

/** The audit log: what admins did, when and from where. */
export function Acts() {
  const { search, go } = usePanel();
  const { act, person, actsPage = 1 } = search;
  const filter = { ...(act && { act }), ...(person && { person }) };
  const acts = useQuery(actsQuery({ ...filter, page: actsPage - 1 }));
  const kinds = useQuery(actKindsQuery).data;
  return (
    <section aria-labelledby="acts">
      <Title order={2} size="h4" id="acts" mb="sm">
        Admin activity
      </Title>
      <div className={styles.bar}>
        <SelectField
          className={styles.filter}
          aria-label="What was done"
          options={choices('Everything', kinds?.acts, act)}
          value={act ?? ''}
          onChange={(next) => void go({ act: next || undefined, actsPage: undefined })}
        />
        <SelectField
          className={styles.filter}
          aria-label="Who did it"
          options={choices('Everybody', kinds?.people, person)}
          value={person ?? ''}
          onChange={(next) => void go({ person: next || undefined, actsPage: undefined })}
        />
        <ButtonAnchor
          href={buildUrl(exportActs, {}, filter)}
          download
          variant="default"
          className={styles.push}
          leftSection={<Download size={16} aria-hidden />}
        >
          Export CSV
        </ButtonAnchor>
      </div>
      <PagedTable
        label="Admin activity"
        pagesLabel="Pages of admin activity"
        columns={columns}
        query={acts}
        getRows={(answer) => answer.acts}
        page={actsPage}
        onPage={(next) => void go({ actsPage: next })}
        skeleton={<Skeleton className={styles.waiting} radius="md" />}
        empty={
          <Text size="sm" c="dimmed">
            {act || person ? 'Nothing of this kind was done.' : 'No admin has changed anything yet.'}
          </Text>
        }
      />
    </section>
  );
}

/** What an address asks for stays among the choices, even while they are not known. */
function choices(all: string, names: string[] = [], chosen: string | undefined) {
  const known = chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
  return [{ value: '', label: all }, ...known.map((name) => ({ value: name, label: name }))];
}

type Details = Record<string, unknown>;

/** What an act was about, from the facts that were noted with it: 'casino.example (no. 5) was approved and added to the blacklist'. */
export function actWords(act: string, details: Details): string {
  return (wordsOf[act] ?? facts)(details);
}

/** Acts whose facts would read like a machine's; all others are told by their facts alone. */
const wordsOf: Record<string, (details: Details) => string> = {
  'Decided on a site submission': decisionWords,
  'Started maintenance': ({ run, joined }) => (joined ? `Run no. ${run} was under way already` : `Run no. ${run}`),
  'Updated risk levels': ({ stats }) => plain(stats, riskOrder),
  'Imported domains': importWords,
  'Exported all data': () => 'The whole blacklist',
  'Exported domains': (filters) => (hasNone(filters) ? 'The whole blacklist' : `Those with ${facts(filters)}`),
  'Exported the audit log': (filters) => (hasNone(filters) ? 'All of it' : `What fits ${facts(filters)}`),
  'Read a message': messageWords,
  'Marked a message as replied': messageWords,
  'Replied to a message': messageWords,
  'Deleted a message': messageWords,
};

/** As the notice of the update has them. */
const riskOrder = ['veryHigh', 'high', 'medium', 'low'];

const outcomes: Record<string, string> = {
  added: ' and added to the blacklist',
  updated: '; it was listed already and has got the new source',
  unchanged: '; it was listed already, with everything that was submitted',
};

function decisionWords({ status, outcome, reason, ...others }: Details): string {
  const became = typeof outcome === 'string' ? (outcomes[outcome] ?? '') : '';
  const because = typeof reason === 'string' ? `: ${quoted(reason)}` : '';
  return `${facts(others)} was ${status}${became}${because}`;
}

/** The counts are there once the import has ended. */
function importWords({ file, bytes, status, imported, updated, failed }: Details): string {
  const words = [String(file)];
  if (typeof bytes === 'number') words.push(formatBytes(bytes));
  if (status === 'failed') words.push('nothing was imported');
  else if (imported !== undefined) words.push(facts({ imported, updated, failed }));
  return words.join(', ');
}

function messageWords({ id, subject, ...others }: Details): string {
  const message = id === undefined ? 'Message' : `Message no. ${id}`;
  return [subject === undefined ? message : `${message}, ${quoted(subject)}`, facts(others)].filter(Boolean).join(', ');
}

function hasNone(details: Details): boolean {
  return facts(details) === '';
}

/** The facts one after the other: 'casino.example (no. 5)', '3 domains: a.example, b.example, …'. */
function facts(details: Details): string {
  const { id, domain, username, count, domains, from, to, changed, ...others } = details;
  const words: string[] = [];
  const name = [domain, username].find((one) => typeof one === 'string');
  if (name !== undefined) words.push(id === undefined ? String(name) : `${name} (no. ${id})`);
  else if (id !== undefined) words.push(`No. ${id}`);
  if (to !== undefined) words.push(`from ${from ?? 'nobody'} to ${to}`);
  if (typeof count === 'number') words.push(countWords(count, domains));
  for (const [cell, change] of Object.entries(changed ?? {})) words.push(`${spaced(cell)} ${changeWords(change)}`);
  for (const [key, value] of Object.entries(others)) words.push(`${spaced(key)} ${quoted(value)}`);
  return words.join(', ');
}

const namesShown = 5;

function countWords(count: number, domains: unknown): string {
  const words = plural(count, 'domain');
  if (!Array.isArray(domains) || domains.length === 0) return words;
  const shown = domains.slice(0, namesShown).join(', ');
  return `${words}: ${shown}${count > namesShown ? ', …' : ''}`;
}

function changeWords({ from, to }: { from: unknown; to: unknown }): string {
  return `from ${quoted(from)} to ${quoted(to)}`;
}

const quoted = (value: unknown) => (typeof value === 'string' ? `‘${value}’` : plain(value));

/** 'jobId' as 'job id'. */
function spaced(key: string): string {
  return key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** @param order keys that come first: the database keeps none. */
function plain(value: unknown, order: readonly string[] = []): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatCount(value);
  if (typeof value !== 'object') return String(value);
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
  const entries = Object.entries(value).toSorted(([a], [b]) => rank(a) - rank(b));
  return entries.map(([key, part]) => `${plain(part)} ${spaced(key)}`).join(', ');
}
