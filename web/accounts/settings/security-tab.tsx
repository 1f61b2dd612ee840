import { Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { changePassword, downloadAccount, PasswordChange } from '#shared/accounts.ts';
import { updateMyNewsletterStatus } from '#shared/newsletter.ts';
import { requestReset, resetLinkMinutes } from '#shared/password-resets.ts';
import { buildUrl, call } from '../../lib/api.ts';
import { pageState } from '../../lib/page-state.ts';
import { useUser } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { AccountSection } from '../account-section.tsx';
import { useCheckedForm } from '../forms.tsx';
import { confirmsPassword, NewPasswordFields, PasswordField } from '../password-fields.tsx';
import { accountQuery, newsQuery, sessionsQuery } from '../queries.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { Sessions } from './sessions.tsx';

export function SecurityTab() {
  return (
    <Stack gap="md">
      <Sessions />
      <ChangePassword />
      <ProductNews />
      <MyData />
      <DangerZone />
    </Stack>
  );
}

function ChangePassword() {
  const account = useQuery(accountQuery);
  return (
    <AccountSection
      title="Change password"
      description={account.data?.hasPassword && 'This signs you out on all other browsers and devices.'}
    >
      {account.isPending && <Skeleton height={230} maw={400} aria-hidden />}
      {account.isError && <ErrorState error={account.error} onRetry={() => void account.refetch()} />}
      {account.data?.hasPassword === false && <FirstPassword />}
      {account.data?.hasPassword && <PasswordForm />}
    </AccountSection>
  );
}

/** Emails a password reset link, so that a user who signs in with Google can set a password. */
function FirstPassword() {
  const { email } = useUser();
  const request = useMutation({
    mutationFn: () => call(requestReset, { body: { email } }),
    onSuccess: () =>
      toastSuccess(
        'Check your email',
        `We sent a link to ${email}. It works once and expires in ${resetLinkMinutes} minutes.`,
      ),
    onError: (error) => toastError('Email not sent', error.message),
  });
  if (!pageState().sendsMail) {
    return <Text size="sm">You sign in with Google, so there is no password to change.</Text>;
  }
  return (
    <Stack gap="md" align="flex-start">
      <Text size="sm">
        You sign in with Google and have no password. To sign in without Google too, set a password with a link that we
        email to <b>{email}</b>.
      </Text>
      <Button variant="default" loading={request.isPending} onClick={() => request.mutate()}>
        Email me a link
      </Button>
    </Stack>
  );
}

const PasswordValues = z.extend(PasswordChange, { passwordConfirm: z.string() }).check(confirmsPassword('newPassword'));

function PasswordForm() {
  const { username } = useUser();
  const queries = useQueryClient();
  const { form, focusFirst, showErrors } = useCheckedForm(
    { currentPassword: '', newPassword: '', passwordConfirm: '' },
    PasswordValues,
  );
  const change = useMutation({
    mutationFn: ({ currentPassword, newPassword }: PasswordChange) =>
      call(changePassword, { body: { currentPassword, newPassword } }),
    onSuccess: () => {
      form.reset();
      toastSuccess('Password changed', 'You have been signed out on all other browsers and devices.');
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (error) => showErrors(error, { title: 'Password not changed' }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values), focusFirst)}>
      <Stack gap="sm" maw={400}>
        {/* Password managers save the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordFields form={form} name="newPassword" label="New password" />
        <div>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function ProductNews() {
  const queries = useQueryClient();
  const news = useQuery(newsQuery);
  const change = useMutation({
    mutationFn: (subscribed: boolean) => call(updateMyNewsletterStatus, { body: { subscribed } }),
    onSuccess: (status) => {
      queries.setQueryData(newsQuery.queryKey, status);
      toastSuccess(
        status.subscribed ? 'Subscribed' : 'Unsubscribed',
        status.subscribed ? 'You will receive product news by email.' : 'You will no longer receive product news.',
      );
    },
    onError: (error) => toastError('Error', error.message),
  });
  return (
    <AccountSection title="Product news" description="Occasional product updates.">
      {news.isPending && <Skeleton height={24} maw={260} aria-hidden />}
      {news.isError && <ErrorState error={news.error} onRetry={() => void news.refetch()} />}
      {news.data && (
        <Checkbox
          label="Send me product news by email"
          checked={change.isPending ? change.variables : news.data.subscribed}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      )}
    </AccountSection>
  );
}

function MyData() {
  return (
    <AccountSection
      title="My data"
      description="All data stored about you in one JSON file: account, sessions, websites and their reports, API keys without their values, submissions and messages."
    >
      <DownloadButton variant="default" url={buildUrl(downloadAccount)}>
        Download my data
      </DownloadButton>
    </AccountSection>
  );
}

function DangerZone() {
  const [opened, dialog] = useDisclosure(false);
  return (
    <AccountSection
      danger
      title="Danger zone"
      description="Deletes your account and its data. This action cannot be undone."
    >
      <Button color="red" onClick={dialog.open}>
        Delete my account
      </Button>
      <DeleteAccountDialog opened={opened} onClose={dialog.close} />
    </AccountSection>
  );
}
