import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  accountEventKinds,
  accountEventText,
  accountEventTexts,
  type UserAccountEvent,
} from '#shared/accounts/account-events.ts';
import { DateText } from '../../ui/date-text.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { QueryTable } from '../../ui/query-table.tsx';
import type { Column } from '../../ui/table.tsx';
import { Hint } from '../../ui/typography.ts';
import styles from './panel-list.module.css';
import { accountEventsQuery, useAdminPanel } from './queries.ts';

const columns: Column<UserAccountEvent>[] = [
  { name: 'Event', onCard: 'title', cell: accountEventText },
  { name: 'User', width: '16%', cell: ({ username }) => username },
  { name: 'Device', width: '18%', cell: ({ device }) => device },
  { name: 'Date', width: '222px', cell: ({ date }) => <DateText value={date} pattern="time" /> },
  { name: 'IP address', width: '140px', cell: ({ address }) => address },
];

const kindOptions = [
  { value: '', label: 'All events' },
  ...accountEventKinds.map((kind) => ({ value: kind, label: accountEventTexts[kind] })),
];

/**
 * The security activity of all accounts: a filterable table of events.
 * @param props `choice`: the field that chooses this log
 */
export function AccountActivity({ choice }: { choice: ReactNode }) {
  const { search, show, goToPage } = useAdminPanel();
  const { event, user, eventsPage = 1 } = search;
  const kind = accountEventKinds.find((one) => one === event);
  const filter = { ...(kind && { kind }), ...(user && { user }) };
  const events = useQuery(accountEventsQuery({ ...filter, page: eventsPage - 1 }));
  return (
    <>
      <div className={styles.bar}>
        {choice}
        <SelectField
          className={styles.filter}
          aria-label="Event"
          options={kindOptions}
          value={kind ?? ''}
          onChange={(next) => void show({ event: next || undefined, eventsPage: undefined })}
        />
        <ListSearch
          label="Exact username"
          value={user}
          onApply={(next) => void show({ user: next, eventsPage: undefined })}
        />
      </div>
      <QueryTable
        label="Security activity"
        pagesLabel="Pages of the security activity"
        columns={columns}
        query={events}
        getRows={(response) => response.events}
        getRowKey={({ id }) => id}
        page={eventsPage}
        onPage={(next, replace) => void goToPage(next, replace, 'eventsPage')}
        empty={<Hint>{kind || user ? 'No events match this filter.' : 'No events yet.'}</Hint>}
      />
    </>
  );
}
