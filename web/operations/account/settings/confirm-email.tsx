import { Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { confirmEmail } from '#shared/accounts/account-settings.ts';
import type { User } from '#shared/accounts/accounts.ts';
import { accountQuery, sessionsQuery } from '../../../accounts/sessions/queries.ts';
import { sessionQuery, useUser } from '../../../accounts/sessions/session.tsx';
import { paths } from '../../../paths.ts';
import { ApiError, call } from '../../../platform/api.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { Section } from '../../../ui/section.tsx';
import { Breakable } from '../../../ui/text.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { newsQuery } from '../queries.ts';

/** Returns a function that shows the user's new or confirmed email address everywhere, and a toast. */
export function useEmailChanged(): (user: User) => Promise<void> {
  const queries = useQueryClient();
  const { email } = useUser();
  return async (user) => {
    queries.setQueryData(sessionQuery.queryKey, user);
    if (user.email === email) toastSuccess('Email address confirmed', `Emails about your account go to ${email}.`);
    else toastSuccess('Email address changed', 'You have been signed out on all other browsers and devices.');
    const keys = [accountQuery, sessionsQuery, newsQuery].map(({ queryKey }) => queryKey);
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
}

/**
 * Asks the user to confirm the address of the registration, or a new one.
 * @param token the token of the emailed link
 */
export function ConfirmEmail({ token }: { token: string }) {
  const navigate = useNavigate();
  const onChanged = useEmailChanged();
  const { email, isEmailConfirmed } = useUser();
  const account = useQuery(accountQuery);
  const close = () => navigate({ to: paths.account, search: { tab: 'profile' }, replace: true });
  const confirm = useMutation({
    mutationFn: () => call(confirmEmail, { body: { token } }),
    onSuccess: async (user) => {
      await close();
      await onChanged(user);
    },
    onError: (error) => {
      toastError(isOwn ? 'Email address not confirmed' : 'Email address not changed', error.message);
      // Without the token, the page offers a new link. After any other error, this one still works.
      if (isOwn && error instanceof ApiError && error.fields.token !== undefined) void close();
    },
  });
  const pendingEmail = account.data?.pendingEmail;
  const address = pendingEmail ?? (account.data && !isEmailConfirmed ? email : undefined);
  const isOwn = address === email;
  return (
    <Section title={pendingEmail ? 'Confirm your new email address' : 'Confirm your email address'}>
      {account.isPending && <Skeleton height={60} aria-hidden />}
      {account.data && !address && (
        <Text size="sm">
          This link has expired, was already used or belongs to another account. Your address is confirmed. To use
          another one, enter it below.
        </Text>
      )}
      {address && (
        <>
          <Text size="sm">
            {isOwn ? 'Emails about your account go to' : 'Emails about your account will go to'}{' '}
            <b>
              <Breakable>{address}</Breakable>
            </b>
            .{!isOwn && ' You will be signed out on all other browsers and devices.'}
          </Text>
          <FormError error={confirm.error} />
          <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
            Confirm address
          </Button>
        </>
      )}
    </Section>
  );
}
