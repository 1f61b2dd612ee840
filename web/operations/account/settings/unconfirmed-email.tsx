import { Alert, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { confirmationLinkMinutes, resendConfirmation } from '#shared/accounts/account-settings.ts';
import { accountQuery } from '../../../accounts/sessions/queries.ts';
import { sessionQuery, useUser } from '../../../accounts/sessions/session.tsx';
import { call } from '../../../platform/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Breakable } from '../../../ui/text.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import styles from './account-list.module.css';

/** Asks a user who has registered to confirm the email address, and sends the link again. */
export function UnconfirmedEmail() {
  const { email } = useUser();
  const queries = useQueryClient();
  const { data: account } = useQuery(accountQuery);
  const resend = useMutation({
    mutationFn: () => call(resendConfirmation, {}),
    onSuccess: () => {
      toastSuccess('Check your email', `We sent a new link to ${email}.`);
      void queries.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
    onError: (error) => {
      toastError('Link not sent', error.message);
      // The address may have been confirmed in another tab.
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  return (
    <Alert
      className={styles.unconfirmed}
      color="brand"
      role="region"
      icon={<Mail size={18} aria-hidden />}
      title="Confirm your email address"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          We sent a link to{' '}
          <b>
            <Breakable>{email}</Breakable>
          </b>
          . It expires after {confirmationLinkMinutes} minutes. Until you confirm the address, we do not send you
          digests or reminders.
        </Text>
        {/* Beside the button, because the page would move if the pending address took a line of its own. */}
        <Group gap="sm">
          <Button variant="default" size="xs" loading={resend.isPending} onClick={() => resend.mutate()}>
            Send a new link
          </Button>
          {account?.pendingEmail && (
            <Text size="sm">
              A new link cancels the change to <Breakable>{account.pendingEmail}</Breakable>.
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
