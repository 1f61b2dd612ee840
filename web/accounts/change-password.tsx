import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../ui/states.tsx';
import { AccountSection } from './account-section.tsx';
import { FirstPassword } from './first-password.tsx';
import { PasswordForm } from './password-form.tsx';
import { accountQuery } from './queries.ts';

/** Another password, or the way to a first one. */
export function ChangePassword() {
  const account = useQuery(accountQuery);
  return (
    <AccountSection
      title="Change password"
      description={account.data?.hasPassword && 'Every other browser and device is signed out; this one stays.'}
    >
      {account.isPending && <Skeleton height={230} maw={400} aria-hidden />}
      {account.isError && <ErrorState error={account.error} onRetry={() => void account.refetch()} />}
      {account.data?.hasPassword === false && <FirstPassword />}
      {account.data?.hasPassword && <PasswordForm />}
    </AccountSection>
  );
}
