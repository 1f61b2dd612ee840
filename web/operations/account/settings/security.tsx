import { Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { type AccountEvent, accountEventDays, accountEventText } from '#shared/accounts/account-events.ts';
import { changePassword, PasswordChange } from '#shared/accounts/account-settings.ts';
import { requestReset, resetLinkMinutes } from '#shared/accounts/password-resets.ts';
import { useCheckedForm } from '../../../accounts/accounts/forms.tsx';
import { confirmsPassword, NewPasswordFields, PasswordField } from '../../../accounts/accounts/password-fields.tsx';
import { accountQuery, sessionsQuery } from '../../../accounts/sessions/queries.ts';
import { useUser } from '../../../accounts/sessions/session.tsx';
import { call } from '../../../platform/api.ts';
import { pageState } from '../../../platform/page-state.ts';
import { withProof } from '../../../platform/proof.ts';
import { useListUrl } from '../../../platform/use-list-url.ts';
import { Button } from '../../../ui/button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { QueryTable } from '../../../ui/query-table.tsx';
import { Section } from '../../../ui/section.tsx';
import type { Column } from '../../../ui/table.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { Hint } from '../../../ui/typography.ts';
import { accountEventsQuery } from '../queries.ts';
import { accountSearch } from '../search.ts';
import styles from './account-list.module.css';

export function ChangePassword() {
  const account = useQuery(accountQuery);
  return (
    <Section
      title="Change password"
      description={account.data?.hasPassword && 'This signs you out on all other browsers and devices.'}
    >
      {!account.data && <QueryState query={account} height={230} />}
      {account.data?.hasPassword === false && <FirstPassword />}
      {account.data?.hasPassword && <PasswordForm />}
    </Section>
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
      <FormError error={request.error} />
    </Stack>
  );
}

const PasswordValues = z.extend(PasswordChange, { passwordConfirm: z.string() }).check(confirmsPassword('newPassword'));

function PasswordForm() {
  const { username } = useUser();
  const queries = useQueryClient();
  const { form, formError, focusFirst, showErrors } = useCheckedForm(
    { currentPassword: '', newPassword: '', passwordConfirm: '' },
    PasswordValues,
  );
  const change = useMutation({
    mutationFn: ({ currentPassword, newPassword }: PasswordChange) =>
      withProof(() => call(changePassword, { body: { currentPassword, newPassword } })),
    onSuccess: () => {
      form.reset();
      toastSuccess('Password changed', 'You have been signed out on all other browsers and devices.');
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      void queries.invalidateQueries({ queryKey: ['account-events'] });
    },
    onError: (error) => showErrors(error, { title: 'Password not changed' }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values), focusFirst)}>
      <Stack gap="sm" className={styles.form}>
        {/* Password managers save the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordFields form={form} name="newPassword" label="New password" />
        <FormError error={formError} />
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </Stack>
    </form>
  );
}

const columns: Column<AccountEvent>[] = [
  { name: 'Event', onCard: 'title', cell: accountEventText },
  { name: 'Device', width: '22%', cell: ({ device }) => device },
  { name: 'IP address', width: '18%', cell: ({ address }) => address },
  { name: 'Date', width: '240px', cell: ({ date }) => <DateText value={date} pattern="time" /> },
];

/** Sign-ins, failed attempts and changes of the user's account. */
export function SecurityActivity() {
  const { search, goToPage } = useListUrl(accountSearch);
  const { activityPage = 1 } = search;
  const events = useQuery(accountEventsQuery(activityPage - 1));
  return (
    <Section
      title="Security activity"
      description={`Sign-ins, failed attempts and changes of the last ${accountEventDays} days. If you do not recognize a sign-in or a change, change your password. This signs you out on all other browsers and devices. If you have no password, sign out everywhere.`}
    >
      <QueryTable
        label="Security activity"
        pagesLabel="Pages of the security activity"
        columns={columns}
        query={events}
        getRows={(response) => response.events}
        getRowKey={({ id }) => id}
        page={activityPage}
        onPage={(next, replace) => void goToPage(next, replace, 'activityPage')}
        empty={<Hint>No events yet. They appear here from your next sign-in.</Hint>}
      />
    </Section>
  );
}
