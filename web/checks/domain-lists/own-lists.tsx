import { useQuery, useQueryClient } from '@tanstack/react-query';
import { deleteDomainList, type OwnDomainList } from '#shared/checks/domain-lists.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DateText, useDates } from '../../ui/date-text.tsx';
import { QueryTable } from '../../ui/query-table.tsx';
import { TextLink } from '../../ui/screen.tsx';
import type { Column } from '../../ui/table.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import styles from './own-lists.module.css';
import { type CheckScreen, ownListsKey, ownListsQuery } from './screen.ts';

/** The lists that the signed-in user checked, newest first. Nothing before the first one. */
export function OwnLists({ screen }: { screen: CheckScreen }) {
  const { page = 1 } = screen.search;
  const query = useQuery(ownListsQuery(page - 1));
  const { data } = query;
  if (query.isPending) return <div data-waiting />;
  if (data?.pagination.total === 0) return null;
  return (
    <section className={styles.lists} aria-labelledby={headingId}>
      <h2 id={headingId} tabIndex={-1}>
        Your lists
      </h2>
      <QueryTable
        label="Your lists"
        pagesLabel="Pages of your lists"
        columns={columns}
        query={query}
        getRows={({ lists }) => lists}
        getRowKey={({ id }) => id}
        page={page}
        onPage={screen.goToPage}
        empty={null}
      />
    </section>
  );
}

const headingId = 'own-lists';

const columns: Column<OwnDomainList>[] = [
  {
    name: 'Checked',
    onCard: 'title',
    cell: ({ id, createdAt }) => (
      <TextLink to={paths.check} search={{ list: id }} size="sm" fw={550}>
        <DateText value={createdAt} pattern="time" />
      </TextLink>
    ),
  },
  { name: 'Entries', width: '110px', isNumber: true, cell: ({ entries }) => formatCount(entries) },
  {
    name: 'Listed when checked',
    width: '170px',
    isNumber: true,
    hasValue: ({ listed }) => listed !== null,
    cell: ({ listed }) => formatCount(listed ?? 0),
  },
  { name: 'Stored until', width: '170px', cell: ({ expiresAt }) => <DateText value={expiresAt} /> },
  { name: 'Actions', width: '110px', onCard: 'actions', cell: (list) => <DeleteList list={list} /> },
];

function DeleteList({ list: { id, entries, createdAt } }: { list: OwnDomainList }) {
  const client = useQueryClient();
  const { formatDate, formatTime } = useDates();
  const checkedAt = new Date(createdAt);
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete list of ${formatDate(checkedAt)}, ${formatTime(checkedAt)}`}
      title="Delete list"
      run={() => call(deleteDomainList, { params: { id } })}
      onDone={() => {
        toastSuccess('List Deleted', plural(entries, 'entry', 'entries'));
        return client.invalidateQueries({ queryKey: ownListsKey });
      }}
      errorTitle="Failed to Delete List"
      removesRow
    >
      The list of <DateText value={createdAt} pattern="time" /> with {plural(entries, 'entry', 'entries')} will be
      deleted. This action cannot be undone.
    </ConfirmButton>
  );
}
