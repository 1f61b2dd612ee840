import { Alert, Avatar, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import {
  type Account,
  changeEmail,
  changeName,
  confirmationLinkMinutes,
  EmailChange,
  NameChange,
} from '#shared/accounts/account-settings.ts';
import { EmailField, useCheckedForm } from '../../../accounts/accounts/forms.tsx';
import { PasswordField } from '../../../accounts/accounts/password-fields.tsx';
import { accountQuery } from '../../../accounts/sessions/queries.ts';
import { sessionQuery, UserPicture, useUser } from '../../../accounts/sessions/session.tsx';
import { call } from '../../../platform/api.ts';
import { pageState } from '../../../platform/page-state.ts';
import { withProof } from '../../../platform/proof.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { LoadTogether } from '../../../ui/load-together.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Section, Sections } from '../../../ui/section.tsx';
import { useHash } from '../../../ui/served.ts';
import { Breakable } from '../../../ui/text.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { Hint } from '../../../ui/typography.ts';
import { AccountAccess } from './account-access.tsx';
import styles from './account-list.module.css';
import { ConfirmEmail, useEmailChanged } from './confirm-email.tsx';
import { ReportBrandSection } from './report-brand.tsx';
import { ChangePassword, SecurityActivity } from './security.tsx';
import { Sessions } from './sessions.tsx';
import { SignInMethods } from './sign-in-methods.tsx';
import { TwoFactor } from './two-factor.tsx';

/**
 * The user's name, picture and email address, and what protects the account. The link of a confirmation email opens it
 * with a token. If it confirms the first address, `AccountPage` asks for the confirmation, where it otherwise says that
 * one is missing.
 */
export function ProfileTab() {
  const { isEmailConfirmed } = useUser();
  const token = useHash();
  return (
    <LoadTogether>
      <Stack gap="md">
        {isEmailConfirmed && token && <ConfirmEmail token={token} />}
        <Sections>
          <Stack gap="md">
            <Name />
            <EmailAddress />
            <ReportBrandSection />
            <Sessions />
          </Stack>
          <Stack gap="md">
            <ChangePassword />
            <TwoFactor />
            <SignInMethods />
            <AccountAccess />
          </Stack>
        </Sections>
        <SecurityActivity />
      </Stack>
    </LoadTogether>
  );
}

function Name() {
  const { username, displayName } = useUser();
  const queries = useQueryClient();
  const { form, formError, focusFirst, showErrors } = useCheckedForm({ displayName: displayName ?? '' }, NameChange);
  const change = useMutation({
    mutationFn: (body: NameChange) => call(changeName, { body }),
    onSuccess: (user) => {
      queries.setQueryData(sessionQuery.queryKey, user);
      form.setValues({ displayName: user.displayName ?? '' });
      toastSuccess('Name changed', `Your name is now ${user.displayName}.`);
    },
    onError: (error) => showErrors(error, { title: 'Name not changed' }),
  });
  return (
    <Section title="Name">
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values), focusFirst)}>
        <Stack gap="sm" className={styles.form}>
          <Picture />
          <TextInput label="Display name" autoComplete="name" maxLength={100} {...form.getInputProps('displayName')} />
          <Hint>
            Your username is <b>{username}</b>. It cannot be changed.
          </Hint>
          <FormError error={formError} />
          <div>
            <Button type="submit" variant="default" loading={change.isPending}>
              Save name
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  );
}

function Picture() {
  const user = useUser();
  const isGoogleOffered = pageState().google !== undefined;
  return (
    <Group gap="md" wrap="nowrap">
      <Avatar color="brand" size={48} radius="100%" aria-hidden>
        <UserPicture user={user} />
      </Avatar>
      <Hint>
        {user.photoURL
          ? 'The picture of your Google account. It is updated each time you sign in with Google.'
          : isGoogleOffered
            ? 'Your initials. If you sign in with Google, the picture of your Google account is shown instead.'
            : 'Your initials.'}
      </Hint>
    </Group>
  );
}

function EmailAddress() {
  const { email } = useUser();
  const account = useQuery(accountQuery);
  return (
    <Section
      title="Email address"
      description={
        <>
          Your current address is{' '}
          <b>
            <Breakable>{email}</Breakable>
          </b>
          .
        </>
      }
    >
      {!account.data && <QueryState query={account} height={190} />}
      {account.data && <EmailChanger account={account.data} />}
    </Section>
  );
}

function EmailChanger({ account: { hasPassword, pendingEmail } }: { account: Account }) {
  const { sendsMail } = pageState();
  if (!hasPassword) {
    return (
      <Text size="sm">
        {sendsMail
          ? 'To change it, first set a password on this page. You continue to sign in with Google as before.'
          : 'You have no password, so an admin must change your address.'}
      </Text>
    );
  }
  return (
    <Stack gap="md" className={styles.form}>
      {pendingEmail !== null && (
        <Alert color="brand" role="note" icon={<Mail size={18} aria-hidden />} title="Check your email">
          We sent a link to{' '}
          <b>
            <Breakable>{pendingEmail}</Breakable>
          </b>
          . Open it within {confirmationLinkMinutes} minutes to use this address. Until then, your address does not
          change.
        </Alert>
      )}
      <EmailForm />
    </Stack>
  );
}

function EmailForm() {
  const user = useUser();
  const queries = useQueryClient();
  const onChanged = useEmailChanged();
  const { form, formError, focusFirst, showErrors } = useCheckedForm({ email: '', currentPassword: '' }, EmailChange);
  const change = useMutation({
    mutationFn: (body: EmailChange) => withProof(() => call(changeEmail, { body })),
    onSuccess: async (changed) => {
      form.reset();
      if (changed.email !== user.email) return onChanged(changed);
      await queries.invalidateQueries({ queryKey: accountQuery.queryKey });
      toastSuccess('Check your email', 'Open the link that we sent to your new address.');
    },
    onError: (error) => showErrors(error, { title: 'Email address not changed' }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values), focusFirst)}>
      <Stack gap="sm">
        <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
        <EmailField label="New email address" size="sm" {...form.getInputProps('email')} />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <Hint>A change signs you out on all other browsers and devices.</Hint>
        <FormError error={formError} />
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            Change email address
          </Button>
        </div>
      </Stack>
    </form>
  );
}
