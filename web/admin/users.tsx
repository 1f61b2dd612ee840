import { Skeleton, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { userFilters } from '#shared/choices.ts';
import type { ManagedUser } from '#shared/users.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { ListSearch } from '../ui/list-search.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { SelectField } from '../ui/select-field.tsx';
import styles from './panel-list.module.css';
import { usersQuery } from './queries.ts';
import { ResetLinkDialog } from './reset-link-dialog.tsx';
import { usePanel } from './use-panel.ts';
import { type Change, UserChange } from './user-change.tsx';
import { UsersTable } from './users-table.tsx';

const filters = { all: 'All accounts', admins: 'Admins', disabled: 'Disabled accounts' };
const options = userFilters.map((value) => ({ value, label: filters[value] }));

/** Everybody who has an account: found, made an admin, shut out, helped in again. */
export function Users() {
  const { search: address, go } = usePanel();
  const { search, show, page = 1 } = address;
  const [change, setChange] = useState<Change>();
  const [reset, setReset] = useState<ManagedUser>();
  const users = useQuery(usersQuery({ ...(search && { search }), ...(show && { show }), page: page - 1 }));
  const { data } = users;
  return (
    <section aria-labelledby="accounts">
      <Title order={2} size="h4" id="accounts" mb="sm">
        Accounts
      </Title>
      <div className={styles.bar}>
        <ListSearch
          label="Search accounts"
          value={search}
          onApply={(next) => void go({ search: next, page: undefined })}
        />
        <SelectField
          aria-label="Which accounts"
          options={options}
          value={show ?? 'all'}
          onChange={(next) =>
            void go({ show: userFilters.find((one) => one === next && one !== 'all'), page: undefined })
          }
        />
      </div>
      {users.isError && !data && <ErrorState error={users.error} onRetry={() => void users.refetch()} />}
      {users.isPending && <Skeleton height={240} radius="md" />}
      {data?.users.length === 0 && (
        <EmptyState title="No accounts found" description="Try another part of a username or email address." order={3}>
          <Button variant="default" onClick={() => void go({ search: undefined, show: undefined, page: undefined })}>
            Show all accounts
          </Button>
        </EmptyState>
      )}
      {data && data.users.length > 0 && (
        <UsersTable users={data.users} isStale={users.isPlaceholderData} onChange={setChange} onReset={setReset} />
      )}
      {data && (
        <Pagination
          page={page - 1}
          pageSize={data.pagination.pageSize}
          total={data.pagination.total}
          label="Pages of accounts"
          onChange={(next) => void go({ page: next > 0 ? next + 1 : undefined })}
        />
      )}
      <UserChange change={change} onClose={() => setChange(undefined)} />
      <ResetLinkDialog user={reset} onClose={() => setReset(undefined)} />
    </section>
  );
}
