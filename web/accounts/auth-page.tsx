import { Divider, Tabs } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { AuthFrame } from './auth-frame.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { GoogleButton } from './google-button.tsx';
import { LoginForm } from './login-form.tsx';
import { NewsNotice } from './news-notice.tsx';
import { RegisterForm } from './register-form.tsx';
import { ResetPassword } from './reset-password.tsx';
import { useLeave } from './use-leave.ts';

const route = getRouteApi('/auth');

/** The ways in. */
export function AuthPage() {
  const { tab = 'login' } = route.useSearch();
  if (tab === 'forgot') return <ForgotPassword />;
  if (tab === 'reset') return <ResetPassword />;
  return <SignInOrUp tab={tab} />;
}

/** Sign-in and registration. Who is signed in already is sent on. */
function SignInOrUp({ tab }: { tab: 'login' | 'register' }) {
  const navigate = useNavigate();
  const onSignedIn = useLeave();
  useTitle(tab === 'login' ? 'Sign in' : 'Create an account');
  return (
    <AuthFrame
      title={tab === 'login' ? 'Welcome back' : 'Get free access'}
      description={
        tab === 'login'
          ? 'Sign in to search the blacklist and check your backlinks.'
          : 'Every feature is free. It takes a minute, and no card.'
      }
    >
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) =>
          void navigate({
            to: paths.auth,
            search: { tab: next === 'register' ? 'register' : undefined },
            replace: true,
          })
        }
      >
        <Tabs.List grow mb="lg">
          <Tabs.Tab value="login">Login</Tabs.Tab>
          <Tabs.Tab value="register">Register</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="login">
          <LoginForm onSignedIn={onSignedIn} />
        </Tabs.Panel>
        <Tabs.Panel value="register">
          <RegisterForm onSignedIn={onSignedIn} />
        </Tabs.Panel>
      </Tabs>
      <Divider label="or" my="md" />
      <GoogleButton onSignedIn={onSignedIn} />
      <NewsNotice tab={tab} />
    </AuthFrame>
  );
}
