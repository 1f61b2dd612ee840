import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { demoLogin } from '#shared/accounts/demo-login.ts';
import { call } from '../../platform/api.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { AuthFrame, useWelcome } from './auth-frame.tsx';
import styles from './auth-page.module.css';

const accounts = [
  { account: 'user', name: 'Uma User', role: 'user' },
  { account: 'admin', name: 'Alex Admin', role: 'admin' },
] as const;

/** Signs in to an account of a demonstration for the public. */
export function DemoSignIn() {
  useTitle('Sign in');
  const welcome = useWelcome();
  const signIn = useMutation({
    mutationFn: (account: 'user' | 'admin') => call(demoLogin, { body: { account } }),
    onSuccess: (user) =>
      welcome(user, { title: 'Signed in successfully!', description: `Welcome, ${user.displayName}.` }),
  });
  return (
    <AuthFrame title="Try Linksieve" description="Choose an account. Everyone who tries Linksieve shares these two.">
      <Stack gap="sm" className={styles.alone}>
        {accounts.map(({ account, name, role }) => (
          <Button
            key={account}
            variant={account === 'user' ? 'filled' : 'default'}
            fullWidth
            size="md"
            loading={!signIn.isError && signIn.variables === account}
            disabled={signIn.isPending}
            onClick={() => signIn.mutate(account)}
          >
            Sign in as {name} ({role})
          </Button>
        ))}
        <FormError error={signIn.error ?? undefined} />
      </Stack>
    </AuthFrame>
  );
}
