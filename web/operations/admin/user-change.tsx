import { Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import {
  createResetLink,
  disableUser,
  enableUser,
  grantAdmin,
  type ManagedUser,
  resetSecondFactor,
  revokeAdmin,
  unlockUser,
} from '#shared/accounts/users.ts';
import { call } from '../../platform/api.ts';
import { withProof } from '../../platform/proof.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { ConfirmDialog, useLast } from '../../ui/dialogs.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { usersKey } from './queries.ts';

export interface Change {
  user: ManagedUser;
  action: keyof typeof changes;
}

const changes = {
  grant: {
    endpoint: grantAdmin,
    title: 'Make admin',
    doneTitle: 'Admin added',
    text: (name: ReactNode) => (
      <>{name} will be able to change the blacklist, all websites and all accounts, including yours.</>
    ),
    done: (name: string) => `${name} is now an admin.`,
    destructive: false,
  },
  revoke: {
    endpoint: revokeAdmin,
    title: 'Remove admin',
    doneTitle: 'Admin removed',
    text: (name: ReactNode) => <>{name} will lose access to all admin screens immediately.</>,
    done: (name: string) => `${name} is no longer an admin.`,
    destructive: true,
  },
  disable: {
    endpoint: disableUser,
    title: 'Disable account',
    doneTitle: 'Account disabled',
    text: (name: ReactNode) => (
      <>{name} will be signed out everywhere and cannot sign in again. Websites and reports are kept.</>
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
  unlock: {
    endpoint: unlockUser,
    title: 'Unlock account',
    doneTitle: 'Account unlocked',
    text: (name: ReactNode) => (
      <>
        Failed attempts keep people from signing in as {name}. They will be forgotten, so that {name} can sign in.
      </>
    ),
    done: (name: string) => `${name} can sign in again.`,
    destructive: false,
  },
  'reset-second-factor': {
    endpoint: resetSecondFactor,
    title: 'Reset two-factor authentication',
    doneTitle: 'Two-factor authentication turned off',
    text: (name: ReactNode) => (
      <>
        {name} will be able to sign in without a code. First make sure that the request really comes from {name}, for
        example with a call.
      </>
    ),
    done: (name: string) => `${name} can sign in without a code.`,
    destructive: true,
  },
} as const;

/** Confirms a change of an account, then applies it. */
export function UserChangeDialog({ change, onClose }: { change: Change | undefined; onClose(): void }) {
  const queries = useQueryClient();
  const apply = useMutation({
    mutationFn: ({ user, action }: Change) =>
      withProof(() => call(changes[action].endpoint, { params: { id: user.id } })),
    onSuccess: (user, { action }) => {
      onClose();
      toastSuccess(changes[action].doneTitle, changes[action].done(user.username));
    },
    onError: (error) => toastError('Update Failed', error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: usersKey }),
  });
  return (
    <ConfirmDialog
      target={change}
      onClose={onClose}
      action={apply}
      title={({ action }) => changes[action].title}
      destructive={({ action }) => changes[action].destructive}
    >
      {({ user, action }) => changes[action].text(<b>{user.username}</b>)}
    </ConfirmDialog>
  );
}

/** Creates a password reset link and shows it once, for users who cannot receive email. */
export function ResetLinkDialog({ user, onClose }: { user: ManagedUser | undefined; onClose(): void }) {
  const shown = useLast(user);
  const create = useMutation({
    mutationFn: (id: number) => withProof(() => call(createResetLink, { params: { id } })),
    onError: (error) => toastError('Failed to create reset link', error.message),
  });
  if (!shown) return null;
  const { id, username } = shown;
  const { data } = create;
  return (
    <Modal
      opened={user !== undefined}
      onClose={onClose}
      onExitTransitionEnd={create.reset}
      title="Create reset link"
      size="md"
      closeOnEscape={!create.isPending}
      closeOnClickOutside={!create.isPending && !data}
    >
      {data ? (
        <ResetLink {...data} username={username} onDone={onClose} />
      ) : (
        <Stack gap="lg">
          <Text size="sm">
            <b>{username}</b> can use the link to set a new password within one hour. The current password works until
            it is replaced. Earlier links stop working. The audit log records that you created this link.
          </Text>
          <FormError error={create.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={create.isPending} data-autofocus>
              Cancel
            </Button>
            <Button onClick={() => create.mutate(id)} loading={create.isPending}>
              Create reset link
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

interface ResetLinkProps {
  link: string;
  expiresAt: string;
  username: string;
  onDone(): void;
}

function ResetLink({ link, expiresAt, username, onDone }: ResetLinkProps) {
  const field = useRef<HTMLInputElement>(null);
  // The button that had the focus is no longer there.
  useEffect(() => field.current?.focus(), []);
  return (
    <Stack gap="md">
      <TextInput
        ref={field}
        label={`Link for ${username}`}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={link}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        rightSection={<CopyButton value={link} label="Copy the link" />}
      />
      <Hint component="div">
        The link is shown only once. It works once and expires on <DateText value={expiresAt} pattern="time" />. Anyone
        with this link can take over the account. Send it to {username} over a channel that you trust.
      </Hint>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
