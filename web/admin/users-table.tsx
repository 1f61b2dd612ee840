import { Badge } from '@mantine/core';
import type { ManagedUser } from '#shared/users.ts';
import { useUser } from '../session/session.tsx';
import { Breakable } from '../ui/breakable.tsx';
import { Button } from '../ui/button.tsx';
import { CardTable, type Column } from '../ui/card-table.tsx';
import { DateText } from '../ui/date-text.tsx';
import styles from './panel-list.module.css';
import type { Change } from './user-change.tsx';

interface Props {
  users: ManagedUser[];
  isStale: boolean;
  onChange(change: Change): void;
  onReset(user: ManagedUser): void;
}

/** Accounts with what an admin can do about each. */
export function UsersTable({ users, isStale, onChange, onReset }: Props) {
  const self = useUser();
  const columns: Column<ManagedUser>[] = [
    {
      name: 'Username',
      width: '20%',
      onCard: 'title',
      cell: (user) => (
        <div className={styles.person}>
          {user.username}
          {user.isAdmin && (
            <Badge variant="light" tt="none">
              Admin
            </Badge>
          )}
          {user.isDisabled && (
            <Badge variant="light" color="red" tt="none">
              Disabled
            </Badge>
          )}
        </div>
      ),
    },
    { name: 'Email', cell: (user) => <Breakable>{user.email}</Breakable> },
    { name: 'Created', width: '128px', cell: (user) => <DateText value={user.dateCreated} /> },
    {
      name: 'Last seen',
      width: '128px',
      cell: (user) =>
        user.lastSeen ? <DateText value={user.lastSeen} /> : <span className={styles.quiet}>Never</span>,
    },
    {
      name: 'Actions',
      width: '392px',
      onCard: 'actions',
      cell: (user) =>
        user.id === self.id ? (
          <span className={styles.quiet}>This is you</span>
        ) : (
          <div className={styles.actions}>
            <Button
              size="xs"
              variant="default"
              aria-label={`${user.isAdmin ? 'Remove' : 'Make'} admin: ${user.username}`}
              onClick={() => onChange({ user, what: user.isAdmin ? 'revoke' : 'grant' })}
            >
              {user.isAdmin ? 'Remove admin' : 'Make admin'}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={`${user.isDisabled ? 'Enable' : 'Disable'}: ${user.username}`}
              onClick={() => onChange({ user, what: user.isDisabled ? 'enable' : 'disable' })}
            >
              {user.isDisabled ? 'Enable' : 'Disable'}
            </Button>
            {!user.isDisabled && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Make reset link: ${user.username}`}
                onClick={() => onReset(user)}
              >
                Make reset link
              </Button>
            )}
          </div>
        ),
    },
  ];
  return <CardTable label="Accounts" columns={columns} rows={users} keyOf={({ id }) => id} isStale={isStale} />;
}
