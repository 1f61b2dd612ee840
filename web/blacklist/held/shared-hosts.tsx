import { Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useState } from 'react';
import {
  createSharedHost,
  deleteSharedHost,
  dismissSharedHost,
  previewSharedHost,
  type SharedHost,
  type SharedHostPreview,
  type SharedHostSuggestion,
} from '#shared/blacklist/held.ts';
import { ApiError, call } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import styles from '../../ui/screen.module.css';
import { type Column, Table } from '../../ui/table.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { refreshDomains } from '../domains/domains.tsx';
import { refreshHeld, sharedHostsQuery } from './queries.ts';
import { NameField, nameColumn, ReasonField, ruleColumns } from './rule-parts.tsx';

/** The shared hosts that admins added, those that uploads suggest, and a form to add one. */
export function SharedHosts() {
  const query = useQuery(sharedHostsQuery);
  /** The host in the form: empty for a new one. Undefined closes it. */
  const [adding, setAdding] = useState<string>();
  return (
    <>
      <Hint className={styles.lead}>
        The subdomains of a shared host are websites of different owners. Linksieve knows about a thousand such hosts.
        Add those that are missing.
      </Hint>
      <div className={styles.bar}>
        <Button onClick={() => setAdding('')}>Add shared host</Button>
      </div>
      {query.data ? <HostTables {...query.data} onAdd={setAdding} /> : <QueryState query={query} height={160} />}
      {adding !== undefined && <AddHostDialog suggested={adding} onClose={() => setAdding(undefined)} />}
    </>
  );
}

interface HostTablesProps {
  hosts: SharedHost[];
  suggestions: SharedHostSuggestion[];
  onAdd(host: string): void;
}

function HostTables({ hosts, suggestions, onAdd }: HostTablesProps) {
  return (
    <>
      {suggestions.length > 0 && (
        <section aria-labelledby="suggested-hosts">
          <Title order={2} size="h3" id="suggested-hosts">
            Suggestions
          </Title>
          <Table
            label="Suggested shared hosts"
            columns={suggestionColumns(onAdd)}
            rows={suggestions}
            getRowKey={({ host }) => host}
          />
        </section>
      )}
      {hosts.length === 0 ? (
        <EmptyState
          icon={Users}
          title="No shared hosts added yet"
          description="Uploads with many subdomains of one domain suggest it here."
        />
      ) : (
        <Table label="Shared hosts" columns={hostColumns} rows={hosts} getRowKey={({ id }) => id} />
      )}
    </>
  );
}

const suggestionColumns = (onAdd: (host: string) => void): Column<SharedHostSuggestion>[] => [
  nameColumn('Host', ({ host }) => host),
  { name: 'Reason', cell: ({ reason }) => reason },
  { name: 'Suggested', width: '128px', cell: ({ dateCreated }) => <DateText value={dateCreated} /> },
  {
    name: 'Actions',
    width: '196px',
    onCard: 'actions',
    cell: ({ host }) => (
      <div className={styles.actions}>
        <Button size="xs" variant="default" aria-label={`Add ${host}`} onClick={() => onAdd(host)}>
          Add
        </Button>
        <DismissButton host={host} />
      </div>
    ),
  },
];

function DismissButton({ host }: { host: string }) {
  const client = useQueryClient();
  return (
    <ConfirmButton
      label="Dismiss"
      name={`Dismiss ${host}`}
      title="Dismiss suggestion"
      confirmLabel="Dismiss"
      removesRow
      run={() => call(dismissSharedHost, { body: { host } })}
      onDone={() => refreshHeld(client)}
    >
      <strong data-mono>{host}</strong> is not suggested again.
    </ConfirmButton>
  );
}

const hostColumns: Column<SharedHost>[] = [
  nameColumn('Host', ({ host }) => host),
  ...ruleColumns,
  { name: 'Actions', width: '104px', onCard: 'actions', cell: (host) => <DeleteButton {...host} /> },
];

function DeleteButton({ id, host }: SharedHost) {
  const client = useQueryClient();
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete ${host}`}
      title="Delete shared host"
      confirmLabel="Delete"
      removesRow
      run={() => call(deleteSharedHost, { params: { id } })}
      onDone={() => refreshHeld(client)}
    >
      The subdomains of <strong data-mono>{host}</strong> belong to it again. Listings, and those in the review queue,
      stay as they are.
    </ConfirmButton>
  );
}

/** The form to add a host. The first press shows what it changes, the second one adds it. */
function AddHostDialog({ suggested, onClose }: { suggested: string; onClose(): void }) {
  const client = useQueryClient();
  const [host, setHost] = useState(suggested);
  const [reason, setReason] = useState('');
  const preview = useMutation({ mutationFn: () => call(previewSharedHost, { query: { host } }) });
  const add = useMutation({
    mutationFn: () => call(createSharedHost, { body: { host, reason } }),
    onSuccess: (added) => {
      toastSuccess('Shared host added', describeAdded(added));
      onClose();
      void refreshDomains(client);
      void refreshHeld(client);
    },
  });
  const error = add.error ?? preview.error;
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <FormDialog
      opened
      onClose={onClose}
      onSubmit={() => (preview.data ? add.mutate() : preview.mutate())}
      title="Add shared host"
      submitLabel={preview.data ? 'Add shared host' : 'Show changes'}
      busy={add.isPending || preview.isPending}
      closeOnClickOutside={host === '' && reason === ''}
    >
      <NameField
        label="Host"
        description="Its subdomains become websites of their own."
        value={host}
        onChange={(next) => {
          setHost(next);
          preview.reset();
          add.reset();
        }}
        error={fields.host}
      />
      <ReasonField
        description="Such as the service and its address. Other admins can read it."
        value={reason}
        onChange={setReason}
        error={fields.reason}
      />
      {preview.data && <p role="status">{describePreview(preview.data)}</p>}
      {Object.keys(fields).length === 0 && <FormError error={error} />}
    </FormDialog>
  );
}

const describePreview = (counts: SharedHostPreview) => describeChanges(counts, 'will move', 'will be held');
const describeAdded = (counts: SharedHostPreview) => describeChanges(counts, 'moved', 'held');

function describeChanges(
  { host, splitCount, heldCount, subdomains }: SharedHostPreview,
  moved: string,
  held: string,
): string {
  if (splitCount + heldCount + subdomains === 0) return `Neither ${host} nor a subdomain of it is listed.`;
  return (
    `${plural(splitCount, 'listing')} of ${host} ${moved} to a subdomain, ${plural(heldCount, 'listing')} ${held} for ` +
    `review. ${plural(subdomains, 'subdomain')} already listed.`
  );
}
