import { Container, Divider, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { destination, forgetDestination } from '../lib/after-sign-in.ts';
import { useSession } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import classes from './auth-page.module.css';
import { GoogleButton } from './google-button.tsx';
import { LoginForm } from './login-form.tsx';
import { RegisterForm } from './register-form.tsx';
import { authSearch } from './search.ts';

/** Milliseconds between signing in and leaving, so that the message is seen. */
const leaveAfter = 500;

/** Sign-in and registration. Who is signed in already is sent on. */
export function AuthPage() {
  const { tab = 'login' } = authSearch.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const onSignedIn = useLeave();
  useTitle(tab === 'login' ? 'Sign in' : 'Create an account');
  return (
    <Container size={440} py={{ base: 'xl', sm: 56 }}>
      <Stack gap={4} mb="lg" ta="center">
        <Title order={1}>{tab === 'login' ? 'Welcome back' : 'Get free access'}</Title>
        <Text c="dimmed" size="sm">
          {tab === 'login'
            ? 'Sign in to search the blacklist and check your backlinks.'
            : 'Every feature is free. It takes a minute, and no card.'}
        </Text>
      </Stack>
      <Paper className={classes.card}>
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
        <GoogleButton />
      </Paper>
    </Container>
  );
}

/** Sends signed-in people on: at once those who came that way, after a moment those who have just signed in. */
function useLeave(): () => void {
  const { user } = useSession();
  const router = useRouter();
  const [justSignedIn, setJustSignedIn] = useState(false);
  useEffect(() => {
    if (!user) return;
    const leave = () => {
      router.history.replace(destination());
      forgetDestination();
    };
    const timer = setTimeout(leave, justSignedIn ? leaveAfter : 0);
    return () => clearTimeout(timer);
  }, [user, justSignedIn, router]);
  return () => setJustSignedIn(true);
}
