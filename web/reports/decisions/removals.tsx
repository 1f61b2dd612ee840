import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyOf } from '#shared/platform/endpoint.ts';
import { type DomainDecision, decide, listDecisions } from '#shared/reports/decisions.ts';
import { listHarmfulBacklinks } from '#shared/reports/reports.ts';
import type { Website } from '#shared/reports/websites.ts';
import { call } from '../../platform/api.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import panel from '../../ui/panel.module.css';
import { QueryTable } from '../../ui/query-table.tsx';
import type { Column } from '../../ui/table.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { buildRequest, findSilence } from './removal-request.ts';
import styles from './removals.module.css';

const sitesPerPage = 20;
const maxLinks = 20;

const removalsKey = (websiteId: number) => ['decisions', websiteId, 'remove'];

/** The sites whose owners are to be asked to remove their links, and what became of it. */
export function Removals({ website }: { website: Website }) {
  const { id } = website;
  const [page, setPage] = useState(1);
  const sites = useQuery(
    endpointQuery([...removalsKey(id), page], listDecisions, {
      params: { id },
      query: { decision: 'remove', page: page - 1, pageSize: sitesPerPage },
      staleTime: 0,
    }),
  );
  const change = useChange(id);
  const total = sites.data?.pagination.total ?? 0;
  return (
    <section id="removals" className={panel.panel} aria-labelledby="removals-title">
      <h2 id="removals-title" className={styles.title}>
        Ask for removal
      </h2>
      <Hint>
        {total === 0
          ? 'Sites that you decide to remove are listed here, with a text for their owners.'
          : `${plural(total, 'site')} to contact. Send the text to the owner of each site, and disavow the domain if nobody answers.`}
      </Hint>
      {total > 0 && (
        <div className={styles.list}>
          <QueryTable
            label="Sites to contact"
            pagesLabel="Pages of sites to contact"
            columns={listColumns(website, change)}
            query={sites}
            getRows={({ decisions }) => decisions}
            getRowKey={({ domain }) => domain}
            page={page}
            onPage={setPage}
            empty={<EmptyState title="No more sites on this page" order={3} />}
          />
        </div>
      )}
    </section>
  );
}

type Change = ReturnType<typeof useChange>;

function useChange(websiteId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof decide>) => call(decide, { params: { id: websiteId }, body }),
    onError: (error) => toastError('Not Saved', error.message),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ['decisions', websiteId] });
      await client.invalidateQueries({ queryKey: ['disavow', websiteId] });
      await client.invalidateQueries({ queryKey: ['reports'], refetchType: 'none' });
    },
  });
}

const listColumns = (website: Website, change: Change): Column<DomainDecision>[] => [
  { name: 'Site', onCard: 'title', cell: ({ domain }) => <span data-mono>{domain}</span> },
  { name: 'Asked', width: '220px', cell: (site) => <Asked site={site} /> },
  {
    name: 'Actions',
    width: '372px',
    onCard: 'actions',
    cell: (site) => <Actions site={site} website={website} change={change} />,
  },
];

function Asked({ site: { askedAt } }: { site: DomainDecision }) {
  if (askedAt === null) return <span data-quiet>Not yet</span>;
  const days = findSilence(askedAt);
  return (
    <>
      <DateText value={askedAt} />
      {days !== undefined && <span className={styles.silent}>no answer for {formatCount(days)} days</span>}
    </>
  );
}

interface ActionsProps {
  site: DomainDecision;
  website: Website;
  change: Change;
}

function Actions({ site: { domain, askedAt }, website: { domain: own, lastReport }, change }: ActionsProps) {
  const isSilent = askedAt !== null && findSilence(askedAt) !== undefined;
  const isChanging = change.isPending && change.variables.domains[0] === domain;
  const copy = useMutation({
    mutationFn: async () => {
      const links = lastReport && {
        params: { id: lastReport.id },
        query: { domain, page: 0, pageSize: maxLinks },
      };
      const pages = links
        ? (await call(listHarmfulBacklinks, links)).backlinks.map(({ referringPage }) => referringPage)
        : [];
      if (!(await copyText(buildRequest({ domain, own, pages })))) throw new Error('The browser did not allow it.');
    },
    onSuccess: () => toastSuccess('Text Copied', `Send it to the owner of ${domain}, then press Mark as asked.`),
    onError: (error) => toastError('Text Not Copied', error.message),
  });
  return (
    <div className={styles.actions}>
      <Button
        size="xs"
        variant="default"
        loading={copy.isPending}
        aria-label={`Copy text for ${domain}`}
        onClick={() => copy.mutate()}
      >
        Copy text
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={isChanging}
        aria-label={askedAt === null ? `Mark as asked: ${domain}` : `Not asked: ${domain}`}
        onClick={() => change.mutate({ domains: [domain], asked: askedAt === null })}
      >
        {askedAt === null ? 'Mark as asked' : 'Not asked'}
      </Button>
      <Button
        size="xs"
        {...(!isSilent && { variant: 'default' as const })}
        disabled={isChanging}
        aria-label={`Disavow ${domain}`}
        onClick={() => change.mutate({ domains: [domain], decision: 'disavow' })}
      >
        Disavow
      </Button>
    </div>
  );
}
