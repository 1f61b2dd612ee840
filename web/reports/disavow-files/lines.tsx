import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Decision, decide } from '#shared/reports/decisions.ts';
import type { DisavowLine, DisavowLineStatus } from '#shared/reports/disavow-files.ts';
import { call } from '../../platform/api.ts';
import { formatCount } from '../../platform/format.ts';
import type { useListUrl } from '../../platform/use-list-url.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { QueryTable } from '../../ui/query-table.tsx';
import type { Column } from '../../ui/table.tsx';
import { toastError } from '../../ui/toast.tsx';
import styles from './disavow.module.css';
import { disavowKey, linesQuery } from './queries.ts';
import type { DisavowSearch } from './search.ts';

export type DisavowListUrl = ReturnType<typeof useListUrl<DisavowSearch>>;

/** The names of the statuses, and what they mean. */
export const statusTexts: Record<DisavowLineStatus, { name: string; meaning: string }> = {
  kept: { name: 'Stays', meaning: 'Valid, and on the blacklist' },
  noLongerListed: { name: 'Not listed', meaning: 'Valid, but not on the blacklist now' },
  allowed: { name: 'Protected site', meaning: 'A well-known or protected site' },
  takenBack: { name: 'Taken back', meaning: 'Left out, because you keep the domain' },
  redundant: { name: 'Redundant', meaning: 'Left out, because another line covers it' },
  invalid: { name: 'Invalid', meaning: 'Left out, because Google cannot read it' },
  comment: { name: 'Comments', meaning: 'Stays, like blank lines' },
};

interface LinesProps {
  websiteId: number;
  fileId: number;
  listUrl: DisavowListUrl;
}

/** The lines of a file with their status, the reason, and how to fix invalid ones. */
export function Lines({ websiteId, fileId, listUrl }: LinesProps) {
  const { status, search, page = 1 } = listUrl.search;
  const lines = useQuery(linesQuery(websiteId, fileId, { status, search, page: page - 1 }));
  const keep = useKeep(websiteId);
  return (
    <div className={styles.lines}>
      <ListSearch
        label="Search lines"
        value={search}
        maxLength={253}
        onApply={(text) => void listUrl.show({ search: text })}
      />
      <div>
        <QueryTable
          label="Lines of the disavow file"
          pagesLabel="Pages of lines"
          columns={listColumns(keep)}
          query={lines}
          getRows={(response) => response.lines}
          getRowKey={({ line }) => line}
          page={page}
          onPage={listUrl.goToPage}
          empty={
            <EmptyState title="No matching lines" description="Try another status or search." order={3}>
              <Button variant="default" onClick={() => void listUrl.show({ status: undefined, search: undefined })}>
                Show all lines
              </Button>
            </EmptyState>
          }
        />
      </div>
    </div>
  );
}

type Keep = ReturnType<typeof useKeep>;

/** The decisions that Keep replaced in this page load, by website and domain. Undo restores them. */
const replacedDecisions = new Map<string, Decision | null>();

/** Decides to keep the domain of a line, which takes back the line, or undoes that decision. */
function useKeep(websiteId: number) {
  const client = useQueryClient();
  const toKey = (domain: string) => `${websiteId} ${domain}`;
  return useMutation({
    mutationFn: ({ domain, isKept }: { domain: string; isKept: boolean; replaced: Decision | null }) => {
      const decision = isKept ? 'keep' : (replacedDecisions.get(toKey(domain)) ?? null);
      return call(decide, { params: { id: websiteId }, body: { domains: [domain], decision } });
    },
    onSuccess: (_, { domain, isKept, replaced }) => {
      if (isKept) replacedDecisions.set(toKey(domain), replaced);
      else replacedDecisions.delete(toKey(domain));
    },
    onError: (error) => toastError('Decision Not Saved', error.message),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: disavowKey(websiteId) });
      await client.invalidateQueries({ queryKey: ['reports'], refetchType: 'none' });
    },
  });
}

const listColumns = (keep: Keep): Column<DisavowLine>[] => [
  { name: 'Line', width: '78px', isNumber: true, cell: ({ line }) => formatCount(line) },
  {
    name: 'Text',
    onCard: 'title',
    cell: ({ text }) => (
      <span data-mono className={styles.lineText}>
        {text}
      </span>
    ),
  },
  {
    name: 'Status',
    width: '140px',
    cell: ({ status }) => (
      <span className={styles.status} data-status={status}>
        {status === 'comment' ? 'Comment' : statusTexts[status].name}
      </span>
    ),
  },
  {
    name: 'Reason',
    cell: ({ status, reason, fix }) => (
      <>
        {reason ?? `${statusTexts[status].meaning}.`}
        {fix !== null && (
          <span className={styles.fix}>
            Write <span data-mono>{fix}</span>
          </span>
        )}
      </>
    ),
  },
  {
    name: 'Decision',
    width: '130px',
    onCard: 'actions',
    cell: (line) => <KeepButton line={line} keep={keep} />,
  },
];

const keepable: readonly DisavowLine['status'][] = ['kept', 'noLongerListed', 'allowed'];

/** Keeps the domain of a line, or no longer keeps the one because of which the line is taken back. */
function KeepButton({ line, keep }: { line: DisavowLine; keep: Keep }) {
  const isKept = line.keptDomain === null;
  const domain = line.keptDomain ?? (keepable.includes(line.status) ? line.domain : null);
  if (domain === null) return null;
  return (
    <Button
      size="xs"
      variant="default"
      loading={keep.isPending && keep.variables.domain === domain}
      aria-label={isKept ? `Keep ${domain}` : `Undo keeping ${domain}`}
      onClick={() => keep.mutate({ domain, isKept, replaced: line.decision })}
    >
      {isKept ? 'Keep' : 'Undo'}
    </Button>
  );
}
