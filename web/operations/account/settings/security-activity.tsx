import { useQuery } from '@tanstack/react-query';
import { type AccountEvent, accountEventDays, accountEventText } from '#shared/accounts/account-events.ts';
import { useListUrl } from '../../../platform/use-list-url.ts';
import { DateText } from '../../../ui/date-text.tsx';
import { QueryTable } from '../../../ui/query-table.tsx';
import { Section } from '../../../ui/section.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Hint } from '../../../ui/typography.ts';
import { accountEventsQuery } from '../queries.ts';
import { accountSearch } from '../search.ts';

const columns: Column<AccountEvent>[] = [
  { name: 'Event', onCard: 'title', cell: accountEventText },
  { name: 'Device', width: '22%', cell: ({ device }) => device },
  { name: 'IP address', width: '18%', cell: ({ address }) => address },
  { name: 'Date', width: '240px', cell: ({ date }) => <DateText value={date} pattern="time" /> },
];

/** Sign-ins, failed attempts and changes of the user's account. */
export function SecurityActivity() {
  const { search, goToPage } = useListUrl(accountSearch);
  const { activityPage = 1 } = search;
  const events = useQuery(accountEventsQuery(activityPage - 1));
  return (
    <Section
      title="Security activity"
      description={`Sign-ins, failed attempts and changes of the last ${accountEventDays} days. If you do not recognize a sign-in or a change, change your password. This signs you out on all other browsers and devices. If you have no password, sign out everywhere.`}
    >
      <QueryTable
        label="Security activity"
        pagesLabel="Pages of the security activity"
        columns={columns}
        query={events}
        getRows={(response) => response.events}
        page={activityPage}
        onPage={(next) => void goToPage(next, false, 'activityPage')}
        empty={<Hint>No events yet. They appear here from your next sign-in.</Hint>}
      />
    </Section>
  );
}
