import { Alert, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { findUser } from '#shared/accounts/users.ts';
import {
  deleteAnyWebsite,
  newOwnerRequiredMessage,
  type OwnedWebsite,
  transferWebsite,
} from '#shared/reports/websites.ts';
import { call } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { withProof } from '../../platform/proof.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { ConfirmDialog, FocusedTitle, useLast } from '../../ui/dialogs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Row, RowList } from '../../ui/row-list.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { DeletedWithWebsite } from './deleted-with-website.tsx';
import styles from './manage-websites-page.module.css';
import { orphanedWebsitesQuery, ownedWebsitesKey } from './websites.ts';

interface TransferProps {
  website: OwnedWebsite | undefined;
  onClose(): void;
}

/** Transfers a website to another account in two steps: the admin finds the account, then confirms it. */
export function TransferDialog({ website, onClose }: TransferProps) {
  const shown = useLast(website);
  const queries = useQueryClient();
  const [newOwner, setNewOwner] = useState('');
  const [error, setError] = useState<string>();
  const find = useMutation({
    mutationFn: (name: string) => call(findUser, { query: { name } }),
    onError: (failure) => setError(failure.message),
  });
  const transfer = useMutation({
    mutationFn: (id: number) =>
      withProof(() =>
        call(transferWebsite, { body: { profileId: id, newFirebaseUid: newOwner.trim(), userIsAdmin: true } }),
      ),
    onSuccess: ({ domain, userInfo }) => {
      close();
      toastSuccess('Profile Transferred', `${domain} now belongs to ${userInfo?.username}.`);
    },
    onError: (failure) => toastError('Transfer Failed', failure.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ownedWebsitesKey }),
  });
  const account = find.data;
  const isOwner = account !== undefined && account.id === shown?.userInfo?.id;
  const isBusy = transfer.isPending;
  const verb = shown?.userInfo ? 'Transfer' : 'Assign';

  function close(): void {
    setNewOwner('');
    setError(undefined);
    find.reset();
    transfer.reset();
    onClose();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!shown) return;
    if (newOwner.trim() === '') {
      setError(newOwnerRequiredMessage);
      toastError('Missing Information', newOwnerRequiredMessage);
    } else if (account) transfer.mutate(shown.id);
    else find.mutate(newOwner.trim());
  }

  return (
    <Modal
      opened={website !== undefined}
      onClose={close}
      title={`${verb} Profile`}
      size="md"
      closeOnClickOutside={!isBusy}
      closeOnEscape={!isBusy}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">
            <b data-mono>{shown?.domain}</b>{' '}
            {shown?.userInfo ? `belongs to ${shown.userInfo.username} (${shown.userInfo.email}).` : 'has no owner.'} Its
            reports move to the new owner too, including one that is still in progress.
          </Text>
          <TextInput
            label="New owner Firebase UID"
            description="You can also enter an email address or username. Accounts with only a password have no UID."
            value={newOwner}
            onChange={(event) => {
              setNewOwner(event.currentTarget.value);
              setError(undefined);
              find.reset();
              transfer.reset();
            }}
            error={error}
            maxLength={254}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
            disabled={isBusy}
          />
          <div role="status">
            {account && (
              <Alert color={account.isDisabled ? 'red' : 'brand'} title={account.username}>
                {account.displayName && account.displayName !== account.username && `${account.displayName}, `}
                {account.email}
                {account.isDisabled && '. This account is disabled. Enable it first.'}
                {isOwner && '. This account already owns the website.'}
              </Alert>
            )}
          </div>
          <FormError error={transfer.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} disabled={isBusy}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isBusy || find.isPending}
              disabled={isOwner || (account?.isDisabled ?? false)}
              aria-label={account && `${verb} to ${account.username}`}
            >
              {account ? verb : 'Find account'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface OrphanedProps {
  opened: boolean;
  onClose(): void;
  onAssign(website: OwnedWebsite): void;
  onDelete(website: OwnedWebsite): void;
}

/** Lists the websites without an owner. The admin assigns or deletes each. */
export function OrphanedDialog({ opened, onClose, onAssign, onDelete }: OrphanedProps) {
  const orphans = useQuery({ ...orphanedWebsitesQuery, enabled: opened });
  const { data } = orphans;
  return (
    <Modal opened={opened} onClose={onClose} title={<FocusedTitle>Orphaned Profiles</FocusedTitle>} size="lg">
      <Hint className={styles.orphansLead}>
        Websites whose owner deleted their account. No user can add these domains until you assign or delete them.
      </Hint>
      {!data && <QueryState query={orphans} height={120} />}
      {data?.length === 0 && <EmptyState title="No orphaned profiles found" order={3} />}
      {data && data.length > 0 && (
        <RowList isFramed={false}>
          {data.map((website) => (
            <Row
              key={website.id}
              text={
                <>
                  <div data-mono>{website.domain}</div>
                  <Hint size="xs">
                    ID {website.id}, added <DateText value={website.dateAdded} />,{' '}
                    {plural(website.reportCount, 'report')}
                  </Hint>
                </>
              }
            >
              <WebsiteActions website={website} onTransfer={onAssign} onDelete={onDelete} />
            </Row>
          ))}
        </RowList>
      )}
    </Modal>
  );
}

/** Deletes a website after the admin confirms. */
export function DeleteWebsiteDialog({ website, onClose }: { website: OwnedWebsite | undefined; onClose(): void }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ id }: OwnedWebsite) => withProof(() => call(deleteAnyWebsite, { params: { id } })),
    onSuccess: (_, { domain }) => {
      onClose();
      toastSuccess('Profile Deleted', `${domain} was deleted.`);
    },
    onError: (error) => toastError('Deletion Failed', error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ownedWebsitesKey }),
  });
  return (
    <ConfirmDialog target={website} onClose={onClose} action={remove} title="Delete Profile">
      {(shown) => (
        <>
          <DeletedWithWebsite website={shown} />
          {shown.userInfo && ` It belongs to ${shown.userInfo.username}.`} This action cannot be undone.
        </>
      )}
    </ConfirmDialog>
  );
}

interface ActionsProps {
  website: OwnedWebsite;
  onTransfer(website: OwnedWebsite): void;
  onDelete(website: OwnedWebsite): void;
}

export function WebsiteActions({ website, onTransfer, onDelete }: ActionsProps) {
  const verb = website.userInfo ? 'Transfer' : 'Assign';
  return (
    <Group gap={8}>
      <Button size="xs" variant="default" aria-label={`${verb}: ${website.domain}`} onClick={() => onTransfer(website)}>
        {verb}
      </Button>
      <Button
        size="xs"
        variant="light"
        color="red"
        aria-label={`Delete: ${website.domain}`}
        onClick={() => onDelete(website)}
      >
        Delete
      </Button>
    </Group>
  );
}
