import { useQuery } from '@tanstack/react-query';
import {
  isNothingToDo,
  type LiveDomain,
  type LivePage,
  listLivePages,
  liveStateTexts,
} from '#shared/reports/live-links.ts';
import { endpointQuery } from '../../../platform/endpoint-query.ts';
import { plural } from '../../../platform/format.ts';
import { DateText } from '../../../ui/date-text.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import styles from './live.module.css';
import { ReferringPage } from './referring-page.tsx';

interface LivePagesProps {
  reportId: number;
  domain: string;
  live: LiveDomain;
}

/** What visits to the pages of a domain found. */
export function LivePages({ reportId, domain, live }: LivePagesProps) {
  const query = useQuery(
    // A new check has another time.
    endpointQuery(['reports', 'live-pages', reportId, domain, live.checkedAt], listLivePages, {
      params: { id: reportId },
      query: { domain },
    }),
  );
  if (!query.data) return <QueryState query={query} height={96} title="The visits could not be loaded" />;
  return (
    <div className={styles.pages}>
      <h3>{plural(query.data.length, 'visited page')}</h3>
      {isNothingToDo(live) && (
        <p className={styles.proposal}>
          No page links to the website any more, so there is nothing to remove or disavow. You can keep the domain.
        </p>
      )}
      <Table label={`Visited pages of ${domain}`} columns={columns} rows={query.data} getRowKey={({ page }) => page} />
    </div>
  );
}

const columns: Column<LivePage>[] = [
  { name: 'Page', onCard: 'title', cell: ({ page }) => <ReferringPage page={page} /> },
  {
    name: 'Found',
    cell: ({ status, reason, rel, sentence }) => (
      <>
        {liveStateTexts[status]}
        {(reason || rel || sentence) && (
          <span className={styles.detail} dir="auto">
            {reason ?? [rel && `rel="${rel}"`, sentence && `“${sentence}”`].filter(Boolean).join(' · ')}
          </span>
        )}
      </>
    ),
  },
  { name: 'Visited', width: '120px', cell: ({ checkedAt }) => <DateText value={checkedAt} /> },
];
