import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnedWebsite } from '#shared/reports/websites.ts';
import { useListUrl } from '../../platform/use-list-url.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { QueryTable } from '../../ui/query-table.tsx';
import { Screen } from '../../ui/screen.tsx';
import type { Column } from '../../ui/table.tsx';
import { Breakable } from '../../ui/text.tsx';
import styles from './manage-websites-page.module.css';
import { manageWebsitesSearch } from './search.ts';
import { DeleteWebsiteDialog, OrphanedDialog, TransferDialog, WebsiteActions } from './website-dialogs.tsx';
import { ownedWebsitesQuery } from './websites.ts';

const noDialog = { dialog: undefined };

/** The admin screen of all websites: search, transfer and delete. */
export function ManageWebsitesPage() {
  const { search: params, show, goToPage, openDialog, close } = useListUrl(manageWebsitesSearch, noDialog);
  const [transferring, setTransferring] = useState<OwnedWebsite>();
  const [deleting, setDeleting] = useState<OwnedWebsite>();
  const { search, page = 1 } = params;
  const websites = useQuery(ownedWebsitesQuery({ ...(search && { search }), page: page - 1 }));
  const { data } = websites;
  return (
    <Screen title="Manage Profiles" lead="All websites and their owners.">
      <div className={styles.bar}>
        <ListSearch label="Search domain or owner" value={search} onApply={(next) => void show({ search: next })} />
        <Button variant="default" onClick={() => void openDialog({ dialog: 'orphaned' })}>
          Orphaned Profiles{data && data.orphaned > 0 ? ` (${data.orphaned})` : ''}
        </Button>
      </div>
      <QueryTable
        label="Website profiles"
        pagesLabel="Pages of profiles"
        columns={getColumns(setTransferring, setDeleting)}
        query={websites}
        getRows={(response) => response.profiles}
        getRowKey={({ id }) => id}
        page={page}
        onPage={goToPage}
        empty={<NoWebsites search={search} onClear={() => void show({ search: undefined })} />}
      />
      <OrphanedDialog
        opened={params.dialog === 'orphaned' && !transferring && !deleting}
        onClose={close}
        onAssign={setTransferring}
        onDelete={setDeleting}
      />
      <TransferDialog website={transferring} onClose={() => setTransferring(undefined)} />
      <DeleteWebsiteDialog website={deleting} onClose={() => setDeleting(undefined)} />
    </Screen>
  );
}

function NoWebsites({ search, onClear }: { search: string | undefined; onClear(): void }) {
  return (
    <EmptyState
      title="No profiles found"
      description={search ? 'Try another domain or owner.' : 'Websites appear here when users add them.'}
    >
      {search && (
        <Button variant="default" onClick={onClear}>
          Show all profiles
        </Button>
      )}
    </EmptyState>
  );
}

type WebsiteHandler = (website: OwnedWebsite) => void;

function getColumns(onTransfer: WebsiteHandler, onDelete: WebsiteHandler): Column<OwnedWebsite>[] {
  return [
    { name: 'ID', width: '84px', cell: ({ id }) => id },
    {
      name: 'Domain',
      onCard: 'title',
      cell: ({ domain }) => (
        <span data-mono>
          <Breakable>{domain}</Breakable>
        </span>
      ),
    },
    { name: 'Owner', width: '30%', cell: (website) => <Owner website={website} /> },
    { name: 'Date Added', width: '128px', cell: ({ dateAdded }) => <DateText value={dateAdded} /> },
    {
      name: 'Actions',
      width: '220px',
      onCard: 'actions',
      cell: (website) => <WebsiteActions website={website} onTransfer={onTransfer} onDelete={onDelete} />,
    },
  ];
}

function Owner({ website: { userInfo } }: { website: OwnedWebsite }) {
  if (!userInfo) return <span className={styles.quiet}>No owner</span>;
  return (
    <>
      {userInfo.displayName || userInfo.username}
      <span className={styles.email}>
        <Breakable>{userInfo.email}</Breakable>
      </span>
    </>
  );
}
