import { Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { changePassword, PasswordChange } from '#shared/accounts/account-settings.ts';
import { requestReset, resetLinkMinutes } from '#shared/accounts/password-resets.ts';
import { useCheckedForm } from '../../../accounts/accounts/forms.tsx';
import { confirmsPassword, NewPasswordFields, PasswordField } from '../../../accounts/accounts/password-fields.tsx';
import { accountQuery, sessionsQuery } from '../../../accounts/sessions/queries.ts';
import { useUser } from '../../../accounts/sessions/session.tsx';
import { call } from '../../../platform/api.ts';
import { pageState } from '../../../platform/page-state.ts';
import { withProof } from '../../../platform/proof.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Facts, Section, Sections } from '../../../ui/section.tsx';
import { Breakable } from '../../../ui/text.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';

import { AccountAccess } from './account-access.tsx';
import styles from './account-list.module.css';
import { SecurityActivity } from './security-activity.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';

/** The user's sessions, ways to sign in, other access, second factor, password and security activity. */
export function SecurityTab() {
  return (
    <Stack gap="md">
      <Sections>
        <Stack gap="md">
          <Sessions />
          <SignInMethods />
          <AccountAccess />
        </Stack>
        <Stack gap="md">
          <TwoFactor />
          <ChangePassword />
        </Stack>
      </Sections>
      <SecurityActivity />
    </Stack>
  );
}

function SignInMethods() {
  const { email, firebaseUid } = useUser();
  const account = useQuery(accountQuery);
  return (
    <Section title="Sign-in methods">
      <Facts>
        <dt>Password</dt>
        <dd>{account.data ? account.data.hasPassword ? 'Set' : 'Not set' : <Skeleton height={16} width={60} />}</dd>
        {(firebaseUid || pageState().google) && (
          <>
            <dt>Google</dt>
            <dd>
              {firebaseUid ? (
                'Linked'
              ) : (
                <>
                  Not linked. To link a Google account, sign in with the one that has the address{' '}
                  <Breakable>{email}</Breakable>.
                </>
              )}
            </dd>
          </>
        )}
      </Facts>
    </Section>
  );
}

function ChangePassword() {
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
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </Stack>
    </form>
  );
}
