import { Code, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useId, useState } from 'react';
import { type AccountDeletion, deleteAccount } from '#shared/accounts/account-settings.ts';
import { PasswordField } from '../../../accounts/accounts/password-fields.tsx';
import { accountQuery } from '../../../accounts/sessions/queries.ts';
import { useEndSession, useUser } from '../../../accounts/sessions/session.tsx';
import { ApiError, call } from '../../../platform/api.ts';
import { withProof } from '../../../platform/proof.ts';
import { websitesQuery } from '../../../reports/websites/websites.ts';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { Checkbox } from '../../../ui/fields.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { Hint } from '../../../ui/typography.ts';

/** Deletes the account after the user confirms with the password, or with the username if there is none. */
export function DeleteAccountDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const user = useUser();
  const endSession = useEndSession();
  const account = useQuery(accountQuery);
  const websites = useQuery(websitesQuery);
  const hintId = useId();
  const [proof, setProof] = useState('');
  const [keepReports, setKeepReports] = useState(false);
  const [error, setError] = useState<string>();
  const hasPassword = account.data?.hasPassword ?? true;
  const hasWebsites = websites.data?.length !== 0;

  const remove = useMutation({
    mutationFn: (body: AccountDeletion) => withProof(() => endSession(() => call(deleteAccount, { body }))),
    onSuccess: () =>
      toastSuccess(
        'Account deleted',
        keepReports ? 'Your reports are kept without your name.' : 'Your account and its data have been deleted.',
      ),
    onError: (cause) => {
      const fields = cause instanceof ApiError ? Object.values(cause.fields) : [];
      setError(fields[0] ?? cause.message);
      toastError('Deletion Failed', cause.message);
    },
  });

  function close(): void {
    setProof('');
    setKeepReports(false);
    setError(undefined);
    onClose();
  }

  function submit(): void {
    if (proof.trim() === '') setError(hasPassword ? 'Please enter your password' : 'Please type your username');
    else remove.mutate({ keepReports, ...(hasPassword ? { password: proof } : { username: proof }) });
  }

  const field = {
    value: proof,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setProof(event.currentTarget.value);
      setError(undefined);
    },
    error,
    disabled: remove.isPending,
    'data-autofocus': true,
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      onSubmit={submit}
      title="Delete my account"
      submitLabel="Delete my account"
      busy={remove.isPending || remove.isSuccess}
      destructive
    >
      <Text size="sm">
        Your account, sessions, API keys, messages and emails will be deleted
        {hasWebsites &&
          !keepReports &&
          ', and so will your websites with all their reports, decisions and disavow files'}
        . This action cannot be undone.
      </Text>
      <Text size="sm">
        Sites that you submitted are kept without your name.{' '}
        {user.isAdmin
          ? 'Your username stays in the audit log and on the domains that you added.'
          : 'Audit log entries about your appeals, and about changes that admins made to your account, keep your username.'}
      </Text>
      {hasWebsites && (
        <Stack gap={4}>
          <Checkbox
            label="Keep my reports without my name"
            aria-describedby={hintId}
            checked={keepReports}
            onChange={(event) => setKeepReports(event.currentTarget.checked)}
            disabled={remove.isPending}
          />
          <Hint id={hintId} size="xs">
            Your websites, reports and decisions are kept without your name. An admin can transfer them to another user.
            Notes, tags, disavow files, shared links, watched hosts and alerts are deleted.
          </Hint>
        </Stack>
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
    </FormDialog>
  );
}
