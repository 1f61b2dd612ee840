import { Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { disableUser, enableUser, grantAdmin, type ManagedUser, createResetLink, revokeAdmin } from '#shared/users.ts';
import { call } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { ConfirmDialog, FormError, useLast } from '../ui/dialogs.tsx';
import { toastError, toastSuccess } from '../ui/toast.tsx';
import { usersKey } from './queries.ts';

export interface Change {
  user: ManagedUser;
  what: keyof typeof changes;
}

const changes = {
  grant: {
    endpoint: grantAdmin,
    title: 'Make admin',
    doneTitle: 'Admin added',
    text: (name: ReactNode) => (
      <>{name} will be able to change the blacklist, every website and every account, yours too.</>
    ),
    done: (name: string) => `${name} is an admin now.`,
    destructive: false,
  },
  revoke: {
    endpoint: revokeAdmin,
    title: 'Remove admin',
    doneTitle: 'Admin removed',
    text: (name: ReactNode) => <>{name} will use Linksieve as any other person does, from the next click on.</>,
    done: (name: string) => `${name} is no longer an admin.`,
    destructive: true,
  },
  disable: {
    endpoint: disableUser,
    title: 'Disable account',
    doneTitle: 'Account disabled',
    text: (name: ReactNode) => (
      <>{name} will be signed out everywhere at once and cannot sign in again. Websites and reports stay.</>
    ),
    done: (name: string) => `${name} is disabled and signed out.`,
    destructive: true,
  },
  enable: {
    endpoint: enableUser,
    title: 'Enable account',
    doneTitle: 'Account enabled',
    text: (name: ReactNode) => <>{name} will be able to sign in again.</>,
    done: (name: string) => `${name} can sign in again.`,
    destructive: false,
  },
} as const;

/** Asks before an account is changed, and changes it. */
export function UserChange({ change, onClose }: { change: Change | undefined; onClose(): void }) {
  const queries = useQueryClient();
  const shown = useLast(change);
  const apply = useMutation({
    mutationFn: ({ user, what }: Change) => call(changes[what].endpoint, { params: { id: user.id } }),
    onSuccess: (user, { what }) => {
      onClose();
      toastSuccess(changes[what].doneTitle, changes[what].done(user.username));
    },
    onError: (error) => toastError('Update Failed', error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: usersKey }),
  });
  if (!shown) return null;
  const { title, text, destructive } = changes[shown.what];
  return (
    <ConfirmDialog
      opened={change !== undefined}
      onClose={onClose}
      onConfirm={() => apply.mutate(shown)}
      title={title}
      confirmLabel={title}
      destructive={destructive}
      busy={apply.isPending}
      error={apply.error}
    >
      {text(<b>{shown.user.username}</b>)}
    </ConfirmDialog>
  );
}

/** Makes a link to another password and shows it, once: for people whom no mail reaches. */
export function ResetLinkDialog({ user, onClose }: { user: ManagedUser | undefined; onClose(): void }) {
  const shown = useLast(user);
  const make = useMutation({
    mutationFn: (id: number) => call(createResetLink, { params: { id } }),
    onError: (error) => toastError('No link was made', error.message),
  });
  if (!shown) return null;
  const { id, username } = shown;
  const { data } = make;
  return (
    <Modal
      opened={user !== undefined}
      onClose={onClose}
      onExitTransitionEnd={make.reset}
      title="Make reset link"
      size="md"
      closeOnEscape={!make.isPending}
      closeOnClickOutside={!make.isPending && !data}
    >
      {data ? (
        <MadeLink {...data} username={username} onDone={onClose} />
      ) : (
        <Stack gap="lg">
          <Text size="sm">
            With the link, <b>{username}</b> can choose a new password within an hour. Until then the password stays as
            it is. Links made earlier stop working. The audit log says that you made this one.
          </Text>
          <FormError error={make.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={make.isPending} data-autofocus>
              Cancel
            </Button>
            <Button onClick={() => make.mutate(id)} loading={make.isPending}>
              Make reset link
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

interface MadeLinkProps {
  link: string;
  expiresAt: string;
  username: string;
  onDone(): void;
}

function MadeLink({ link, expiresAt, username, onDone }: MadeLinkProps) {
  const field = useRef<HTMLInputElement>(null);
  // The button that had the focus is gone.
  useEffect(() => field.current?.focus(), []);
  return (
    <Stack gap="md">
      <TextInput
        ref={field}
        label={`Link for ${username}`}
        value={link}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        rightSection={<CopyButton value={link} label="Copy the link" />}
      />
      <Text size="sm" c="dimmed" component="div">
        It is shown only now, works once, and until <DateText value={expiresAt} pattern="time" />. Whoever opens it gets
        into the account: hand it to {username} in a way that you trust.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
