import { Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { profilesQuery } from '../profiles/profiles.ts';
import { useUser } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { PasswordField } from './password-field.tsx';
import { accountQuery } from './queries.ts';
import { useDeleteAccount } from './use-delete-account.ts';

/** Deletes the account once the password, or the name where there is none, has been typed. */
export function DeleteAccountDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const user = useUser();
  const account = useQuery(accountQuery);
  const websites = useQuery(profilesQuery);
  const keptId = useId();
  const [proof, setProof] = useState('');
  const [keepReports, setKeepReports] = useState(false);
  const [error, setError] = useState<string>();
  const hasPassword = account.data?.hasPassword ?? true;
  const remove = useDeleteAccount(setError);

  function close(): void {
    setProof('');
    setKeepReports(false);
    setError(undefined);
    onClose();
  }

  const field = {
    value: proof,
    onChange: (event: { currentTarget: HTMLInputElement }) => {
      setProof(event.currentTarget.value);
      setError(undefined);
    },
    error,
    disabled: remove.isPending,
    'data-autofocus': true,
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Delete my account"
      size="md"
      closeOnClickOutside={!remove.isPending}
      closeOnEscape={!remove.isPending}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (proof.trim() === '') setError(hasPassword ? 'Please enter your password' : 'Please type your username');
          else remove.mutate({ keepReports, ...(hasPassword ? { password: proof } : { username: proof }) });
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            Your account, sessions, API keys, messages and mails are deleted
            {websites.data?.length !== 0 && (keepReports ? '' : ', and your websites with all their reports')}. This
            action cannot be undone.
          </Text>
          <Text size="sm">
            Sites that you submitted stay, without your name.{' '}
            {user.isAdmin
              ? 'Your username stays in the audit log and at the domains that you listed.'
              : 'What admins did to your account stays in the audit log, with your username.'}
          </Text>
          {websites.data?.length !== 0 && (
            <div>
              <Checkbox
                label="Keep my reports with an admin"
                aria-describedby={keptId}
                checked={keepReports}
                onChange={(event) => setKeepReports(event.currentTarget.checked)}
                disabled={remove.isPending}
              />
              <Text id={keptId} size="xs" c="dimmed" mt={4}>
                Your websites and their reports stay without your name, and an admin can hand them to somebody.
              </Text>
            </div>
          )}
          {hasPassword ? (
            <PasswordField label="Your password" autoComplete="current-password" {...field} />
          ) : (
            <TextInput
              label={
                <>
                  Type <Code>{user.username}</Code> to confirm
                </>
              }
              autoComplete="off"
              spellCheck={false}
              {...field}
            />
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} disabled={remove.isPending}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={remove.isPending || remove.isSuccess}>
              Delete my account
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
