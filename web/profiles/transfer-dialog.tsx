import { Alert, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { noNewOwner, type OwnedProfile } from '#shared/profiles.ts';
import { findUser } from '#shared/users.ts';
import { call } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { Refusal } from '../ui/refusal.tsx';
import { toast } from '../ui/toast.tsx';
import { useTransfer } from './use-owned-profiles.ts';

interface Props {
  profile: OwnedProfile | undefined;
  onClose(): void;
}

/** Gives a website to somebody: asks who, names the account that this is, and only then does it. */
export function TransferDialog({ profile, onClose }: Props) {
  // While the dialog fades away it still says what it asked.
  const last = useRef(profile);
  if (profile) last.current = profile;
  const shown = last.current;
  const [newOwner, setNewOwner] = useState('');
  const [error, setError] = useState<string>();
  const find = useMutation({
    mutationFn: (name: string) => call(findUser, { query: { name } }),
    onError: (failure) => setError(failure.message),
  });
  const transfer = useTransfer(close);
  const person = find.data;
  const isOwner = person !== undefined && person.id === shown?.userInfo?.id;
  const isBusy = transfer.isPending;
  const word = shown?.userInfo ? 'Transfer' : 'Assign';

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
      setError(noNewOwner);
      toast({ title: 'Missing Information', description: noNewOwner, tone: 'destructive' });
    } else if (person) transfer.mutate({ profile: shown, newOwner: newOwner.trim() });
    else find.mutate(newOwner.trim());
  }

  return (
    <Modal
      opened={profile !== undefined}
      onClose={close}
      title={`${word} Profile`}
      size="md"
      closeOnClickOutside={!isBusy}
      closeOnEscape={!isBusy}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">
            <b>{shown?.domain}</b>{' '}
            {shown?.userInfo
              ? `belongs to ${shown.userInfo.username} (${shown.userInfo.email}).`
              : 'has no owner at the moment.'}{' '}
            Its reports go to the new owner too, also one that is still being made.
          </Text>
          <TextInput
            label="New owner Firebase UID"
            description="An email address or a username will do as well: people who sign in with a password have no UID."
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
            {person && (
              <Alert color={person.isDisabled ? 'red' : 'brand'} variant="light" title={person.username}>
                {person.displayName && person.displayName !== person.username && `${person.displayName}, `}
                {person.email}
                {person.isDisabled && '. This account is disabled: enable it first.'}
                {isOwner && '. This is the owner already.'}
              </Alert>
            )}
          </div>
          <Refusal error={transfer.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} disabled={isBusy}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isBusy || find.isPending}
              disabled={isOwner || (person?.isDisabled ?? false)}
              aria-label={person && `${word} to ${person.username}`}
            >
              {person ? word : 'Find account'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
