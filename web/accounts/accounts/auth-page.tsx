import { Divider, Stack, Tabs } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { login, type User } from '#shared/accounts/accounts.ts';
import { type SignInProblem, signInProblemNames, signInProblems } from '#shared/accounts/oidc.ts';
import { paths } from '../../paths.ts';
import { ApiError, call } from '../../platform/api.ts';
import { pageState } from '../../platform/page-state.ts';
import { useScreenSearch } from '../../platform/use-list-url.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { useHash } from '../../ui/served.ts';
import { toastError } from '../../ui/toast.tsx';
import { saveDestination } from '../sessions/session.tsx';
import { AuthFrame, useWelcome, type Welcome } from './auth-frame.tsx';
import styles from './auth-page.module.css';
import { DemoSignIn } from './demo-sign-in.tsx';
import { UsernameField, useCheckedForm } from './forms.tsx';
import { GoogleButton } from './google-button.tsx';
import { PasswordField } from './password-fields.tsx';
import { ForgotPassword, ResetPassword } from './password-reset.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { RegisterForm } from './register-form.tsx';
import { findChallenge, SecondFactorStep } from './second-factor-step.tsx';

/** The search parameters of the sign-in page. The default tab is the login. */
const authSearch = z.object({
  tab: z.catch(z.optional(z.enum(['login', 'register', 'forgot', 'reset', 'code'])), undefined),
  /** The path to go to after signing in. */
  next: z.catch(z.optional(z.string()), undefined),
  /** Why a provider did not sign in. */
  problem: z.catch(z.optional(z.enum(signInProblemNames)), undefined),
});

export function AuthPage() {
  const { tab = 'login', next, problem } = useScreenSearch(authSearch);
  const { localSignIn, demoResetsAt } = pageState();
  useEffect(() => {
    // A redirect keeps the fragment, where links of emails have their token.
    if (next !== undefined) saveDestination(next + location.hash);
  }, [next]);
  if (demoResetsAt) return <DemoSignIn />;
  if (tab === 'reset') return <ResetPassword />;
  if (tab === 'code') return <CodeOfProviderSignIn />;
  if (!localSignIn) return <SignInOrUp tab="login" problem={problem} />;
  if (tab === 'forgot') return <ForgotPassword />;
  return <SignInOrUp tab={tab} problem={problem} />;
}

/** The second step after a provider has signed in. Its address has the challenge after the `#`. */
function CodeOfProviderSignIn() {
  const navigate = useNavigate();
  const welcome = useWelcome();
  return (
    <SecondFactorStep
      challenge={useHash()}
      onSignedIn={(user) => welcome(user, signedIn(user))}
      onCancel={() => void navigate({ to: paths.auth, replace: true })}
    />
  );
}

interface SignInProps {
  tab: 'login' | 'register';
  problem: SignInProblem | undefined;
}

/** Without local sign-in, it has only the buttons of providers. */
function SignInOrUp({ tab, problem }: SignInProps) {
  const navigate = useNavigate();
  const welcome = useWelcome();
  const [challenge, setChallenge] = useState<string>();
  const { google, localSignIn, signInProviders } = pageState();
  const isLogin = tab === 'login';
  useTitle(isLogin ? 'Sign in' : 'Create an account');
  if (challenge !== undefined) {
    return (
      <SecondFactorStep
        challenge={challenge}
        onSignedIn={(user) => welcome(user, signedIn(user))}
        onCancel={() => setChallenge(undefined)}
      />
    );
  }
  return (
    <AuthFrame
      title={isLogin ? 'Welcome back' : 'Get free access'}
      description={
        isLogin
          ? 'Sign in to search the blacklist and check your backlinks.'
          : 'Every feature is free. Takes a minute. No credit card.'
      }
    >
      {localSignIn && (
        <>
          <Tabs
            value={tab}
            onChange={(next) =>
              void navigate({
                to: paths.auth,
                search: { tab: next === 'register' ? 'register' : undefined },
                replace: true,
              })
            }
          >
            <Tabs.List grow>
              <Tabs.Tab value="login">Login</Tabs.Tab>
              <Tabs.Tab value="register">Register</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="login">
              <LoginForm welcome={welcome} onChallenge={setChallenge} />
            </Tabs.Panel>
            <Tabs.Panel value="register">
              <RegisterForm welcome={welcome} />
            </Tabs.Panel>
          </Tabs>
          <Divider label="or" className={styles.or} />
        </>
      )}
      <Stack gap="sm" className={localSignIn ? undefined : styles.alone}>
        <FormError error={problem && { message: signInProblems[problem] }} />
        <ProviderButtons />
      </Stack>
      {(google || signInProviders.length === 0) && <GoogleButton welcome={welcome} onChallenge={setChallenge} />}
      {(!isLogin || google) && (
        <p className={styles.reason}>
          {isLogin ? 'Signing in with Google' : 'Signing up'} also subscribes you to product news by email. You can
          unsubscribe at any time in your account, under Notifications.
        </p>
      )}
    </AuthFrame>
  );
}

const LoginValues = z.object({
  username: z.string().check(z.trim(), z.minLength(1, 'Please enter your username or email')),
  password: z.string().check(z.minLength(1, 'Please enter your password')),
});

const signedIn = ({ displayName, username }: User) => ({
  title: 'Signed in successfully!',
  description: `Welcome back, ${displayName || username}.`,
});

function LoginForm({ welcome, onChallenge }: { welcome: Welcome; onChallenge(challenge: string): void }) {
  const { form, formError, focusFirst, showErrors } = useCheckedForm({ username: '', password: '' }, LoginValues);
  const signIn = useMutation({
    mutationFn: (values: z.infer<typeof LoginValues>) => call(login, { body: values }),
    onSuccess: (user) => welcome(user, signedIn(user)),
    onError: (error) => {
      const challenge = findChallenge(error);
      if (challenge !== undefined) return onChallenge(challenge);
      const isRefused = error instanceof ApiError && error.status === 401;
      const fallback = isRefused
        ? 'Invalid username or password'
        : 'There was a problem signing you in. Please try again.';
      const description = (error instanceof ApiError && error.message) || fallback;
      const title = isRefused ? 'Login Failed' : 'Sign in failed';
      showErrors(error, { title, description }, isRefused ? { password: description } : undefined);
    },
  });

  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => signIn.mutate(values),
        (errors) => {
          focusFirst(errors);
          toastError('Missing Information', 'Please enter your username or email and your password.');
        },
      )}
    >
      <Stack gap="md">
        <UsernameField label="Username or email" {...form.getInputProps('username')} />
        <div>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            size="md"
            {...form.getInputProps('password')}
          />
          <div className={styles.forgot}>
            <TextLink to={paths.auth} search={{ tab: 'forgot' }} size="sm">
              Forgot your password?
            </TextLink>
          </div>
        </div>
        <FormError error={formError} />
        <Button type="submit" fullWidth size="md" loading={signIn.isPending || signIn.isSuccess}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
