import { Badge, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { userFilters } from '#shared/accounts/choices.ts';
import type { ManagedUser } from '#shared/accounts/users.ts';
import { useUser } from '../../accounts/sessions/session.tsx';
import { paths } from '../../paths.ts';
import { describeUsage } from '../../platform/describe-usage.ts';
import { formatBytes } from '../../platform/format.ts';
import { pageState } from '../../platform/page-state.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { QueryTable } from '../../ui/query-table.tsx';
import screen from '../../ui/screen.module.css';
import type { Column } from '../../ui/table.tsx';
import { Breakable } from '../../ui/text.tsx';
import styles from './panel-list.module.css';
import { useAdminPanel, usersQuery } from './queries.ts';
import { type Change, ResetLinkDialog, UserChangeDialog } from './user-change.tsx';

/** The User Management screen: the list of accounts, and links to the submissions and messages of users. */
export function UsersTab() {
  return (
    <Stack gap="lg">
      <div className={screen.actions}>
        <ButtonLink to={paths.adminSubmissions} variant="default">
          Review Site Submissions
        </ButtonLink>
        <ButtonLink to={paths.adminInbox} variant="default">
          Contact Messages
        </ButtonLink>
      </div>
      <Users />
    </Stack>
  );
}

const filters = {
  all: 'All accounts',
  admins: 'Admins',
  disabled: 'Disabled accounts',
  locked: 'Locked accounts',
};
const options = userFilters.map((value) => ({ value, label: filters[value] }));

/**
 * The list of accounts, with actions to change admin rights, disable or unlock an account, reset its second factor and
 * create a reset link.
 */
function Users() {
  const { search: params, show, goToPage } = useAdminPanel();
  const { search, show: filter, page = 1 } = params;
  const [change, setChange] = useState<Change>();
  const [reset, setReset] = useState<ManagedUser>();
  const { id: ownId } = useUser();
  const users = useQuery(usersQuery({ ...(search && { search }), ...(filter && { show: filter }), page: page - 1 }));
  return (
    <section aria-label="Accounts">
      <div className={styles.bar}>
        <ListSearch label="Search accounts" value={search} onApply={(next) => void show({ search: next })} />
        <SelectField
          aria-label="Filter accounts"
          options={options}
          value={filter ?? 'all'}
          onChange={(next) => void show({ show: userFilters.find((one) => one === next && one !== 'all') })}
        />
      </div>
      <QueryTable
        label="Accounts"
        pagesLabel="Pages of accounts"
        columns={getColumns(ownId, setChange, setReset)}
        query={users}
        getRows={({ users }) => users}
        getRowKey={({ id }) => id}
        page={page}
        onPage={goToPage}
        empty={
          <EmptyState title="No accounts found" description="Try a different username or email address." order={2}>
            <Button variant="default" onClick={() => void show({ search: undefined, show: undefined })}>
              Show all accounts
            </Button>
          </EmptyState>
        }
      />
      <UserChangeDialog change={change} onClose={() => setChange(undefined)} />
      <ResetLinkDialog user={reset} onClose={() => setReset(undefined)} />
    </section>
  );
}

/** The columns of the accounts table. Admins cannot change their own account, `ownId`, here. */
function getColumns(
  ownId: number,
  onChange: (change: Change) => void,
  onReset: (user: ManagedUser) => void,
): Column<ManagedUser>[] {
  return [
    {
      name: 'Username',
      width: '20%',
      onCard: 'title',
      cell: (user) => (
        <Group gap="4px 8px">
          {user.username}
          {user.isAdmin && <Badge>Admin</Badge>}
          {user.isDisabled && <Badge color="red">Disabled</Badge>}
          {user.isLocked && <Badge color="orange">Locked</Badge>}
          {user.hasSecondFactor && <Badge color="green">Two-factor</Badge>}
        </Group>
      ),
    },
    {
      name: 'Email',
      cell: (user) => (
        <>
          <Breakable>{user.email}</Breakable>
          {pageState().sendsMail && !user.isEmailConfirmed && <div data-quiet>Not confirmed</div>}
          <div data-quiet title={describeUsage(user.usage.kinds)}>
            {formatBytes(user.usage.usedBytes)} of storage used
          </div>
        </>
      ),
    },
    { name: 'Created', width: '128px', cell: (user) => <DateText value={user.dateCreated} /> },
    {
      name: 'Last seen',
      width: '128px',
      cell: (user) => (user.lastSeen ? <DateText value={user.lastSeen} /> : <span data-quiet>Never</span>),
    },
    {
      name: 'Actions',
      width: '392px',
      onCard: 'actions',
      cell: (user) =>
        user.id === ownId ? (
          <span data-quiet>This is you</span>
        ) : (
          <div className={screen.actions}>
            <Button
              size="xs"
              variant="default"
              aria-label={`${user.isAdmin ? 'Remove' : 'Make'} admin: ${user.username}`}
              onClick={() => onChange({ user, action: user.isAdmin ? 'revoke' : 'grant' })}
            >
              {user.isAdmin ? 'Remove admin' : 'Make admin'}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={`${user.isDisabled ? 'Enable' : 'Disable'}: ${user.username}`}
              onClick={() => onChange({ user, action: user.isDisabled ? 'enable' : 'disable' })}
            >
              {user.isDisabled ? 'Enable' : 'Disable'}
            </Button>
            {user.isLocked && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Unlock: ${user.username}`}
                onClick={() => onChange({ user, action: 'unlock' })}
              >
                Unlock
              </Button>
            )}
            {user.hasSecondFactor && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Reset two-factor: ${user.username}`}
                onClick={() => onChange({ user, action: 'reset-second-factor' })}
              >
                Reset two-factor
              </Button>
            )}
            {!user.isDisabled && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Create reset link: ${user.username}`}
                onClick={() => onReset(user)}
              >
                Create reset link
              </Button>
            )}
          </div>
        ),
    },
  ];
}
