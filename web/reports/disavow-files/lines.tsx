import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Decision, decide } from '#shared/reports/decisions.ts';
import { changedLineStatuses, type DisavowLine, type DisavowLineStatus } from '#shared/reports/disavow-files.ts';
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
  noLongerListed: { name: 'Stays, not listed', meaning: 'Valid, but not on the blacklist now' },
  allowed: { name: 'Stays, protected', meaning: 'A well-known or protected site' },
  takenBack: { name: 'Taken back', meaning: 'Left out, because you keep the domain' },
  redundant: { name: 'Left out, redundant', meaning: 'Another line covers it' },
  invalid: { name: 'Left out, invalid', meaning: 'Google cannot read it' },
  comment: { name: 'Comments', meaning: 'Not changed, like blank lines' },
  added: { name: 'Added', meaning: 'You decided to disavow the domain' },
};

interface LinesProps {
  websiteId: number;
  fileId: number;
  listUrl: DisavowListUrl;
  /** Whether merging changes anything. */
  hasChanges: boolean;
}

/** The lines of a file with their status, the reason, and how to fix invalid ones. */
export function Lines({ websiteId, fileId, listUrl, hasChanges }: LinesProps) {
  const { status: chosen = hasChanges ? 'changed' : 'all', search, page = 1 } = listUrl.search;
  const status = chosen === 'all' ? undefined : chosen;
  const lines = useQuery(linesQuery(websiteId, fileId, { status, search, page: page - 1 }));
  const takeBack = useTakeBack(websiteId);
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
          columns={listColumns(takeBack)}
          query={lines}
          getRows={(response) => response.lines}
          getRowKey={({ line }) => line}
          getRowData={({ status }) => ({ 'data-change': toSign(status) })}
          page={page}
          onPage={listUrl.goToPage}
          empty={
            <EmptyState title="No matching lines" description="Try another status or search." order={3}>
              <Button variant="default" onClick={() => void listUrl.show({ status: 'all', search: undefined })}>
                Show all lines
              </Button>
            </EmptyState>
          }
        />
      </div>
    </div>
  );
}

/** '+' for what merging adds, '−' for what it leaves out. */
function toSign(status: DisavowLineStatus): '+' | '−' | undefined {
  if (status === 'added') return '+';
  return changedLineStatuses.includes(status) ? '−' : undefined;
}

type TakeBack = ReturnType<typeof useTakeBack>;

/** The decisions that Take back replaced in this page load, by website and domain. Undo restores them. */
const replacedDecisions = new Map<string, Decision | null>();

/** Takes back the line of a domain, by the decision to keep the domain, or undoes that decision. */
function useTakeBack(websiteId: number) {
  const client = useQueryClient();
  const toKey = (domain: string) => `${websiteId} ${domain}`;
  return useMutation({
    mutationFn: ({ domain, isTaken }: { domain: string; isTaken: boolean; replaced: Decision | null }) => {
      const decision = isTaken ? 'keep' : (replacedDecisions.get(toKey(domain)) ?? null);
      return call(decide, { params: { id: websiteId }, body: { domains: [domain], decision } });
    },
    onSuccess: (_, { domain, isTaken, replaced }) => {
      if (isTaken) replacedDecisions.set(toKey(domain), replaced);
      else replacedDecisions.delete(toKey(domain));
    },
    onError: (error) => toastError('Decision Not Saved', error.message),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: disavowKey(websiteId) });
      await client.invalidateQueries({ queryKey: ['reports'], refetchType: 'none' });
    },
  });
}

const listColumns = (takeBack: TakeBack): Column<DisavowLine>[] => [
  { name: 'Line', width: '78px', isNumber: true, cell: ({ line }) => formatCount(line) },
  {
    name: 'Text',
    onCard: 'title',
    cell: ({ text, status }) => (
      <span data-mono className={styles.lineText}>
        <span aria-hidden>{toSign(status) ?? ' '} </span>
        <span>{text}</span>
      </span>
    ),
  },
  {
    name: 'Status',
    width: '170px',
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
    cell: (line) => <TakeBackButton line={line} takeBack={takeBack} />,
  },
];

const staying: readonly DisavowLine['status'][] = ['kept', 'noLongerListed', 'allowed'];

/** Takes back a line that stays, or puts back the lines that are taken back because of a kept domain. */
function TakeBackButton({ line, takeBack }: { line: DisavowLine; takeBack: TakeBack }) {
  const isTaken = line.keptDomain === null;
  const domain = line.keptDomain ?? (staying.includes(line.status) ? line.domain : null);
  if (domain === null) return null;
  return (
    <Button
      size="xs"
      variant="default"
      loading={takeBack.isPending && takeBack.variables.domain === domain}
      aria-label={isTaken ? `Take back ${domain}` : `Undo taking back ${domain}`}
      onClick={() => takeBack.mutate({ domain, isTaken, replaced: line.decision })}
    >
      {isTaken ? 'Take back' : 'Undo'}
    </Button>
  );
}
