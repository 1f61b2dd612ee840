import { Container, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { User } from '#shared/accounts.ts';
import { subscribe } from '#shared/newsletter.ts';
import { call, logWarning } from '../../lib/api.ts';
import { getDestination, clearDestination, setSession, useSession } from '../../session/session.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import classes from './auth-page.module.css';

interface Props {
  title: string;
  description: ReactNode;
  children: ReactNode;
}

/** The heading and the centered card of every screen for signing in. */
export function AuthFrame({ title, description, children }: Props) {
  return (
    <Container size={440} py={{ base: 'xl', sm: 56 }}>
      <Stack gap={4} mb="lg" ta="center">
        <Title order={1}>{title}</Title>
        <Text c="dimmed" size="sm" component="div" className={classes.description}>
          {description}
        </Text>
      </Stack>
      <div className={classes.card}>{children}</div>
    </Container>
  );
}

/** Starts the session of a person who has just signed in, and shows a message. */
export type Welcome = (user: User, message: { title: string; description: string }) => void;

/** Milliseconds between signing in and leaving, so that the message is seen. */
const redirectDelayMs = 500;

/**
 * Sends signed-in people on: at once if they opened the screen signed in, after a moment if they have just signed in.
 * @param staysOpen a person who opened the screen signed in stays
 */
export function useWelcome({ staysOpen = false } = {}): Welcome {
  const { user } = useSession();
  const queries = useQueryClient();
  const router = useRouter();
  const [justSignedIn, setJustSignedIn] = useState(false);
  useEffect(() => {
    if (!user || (staysOpen && !justSignedIn)) return;
    const leave = () => {
      router.history.replace(getDestination());
      clearDestination();
    };
    const timer = setTimeout(leave, justSignedIn ? redirectDelayMs : 0);
    return () => clearTimeout(timer);
  }, [user, justSignedIn, staysOpen, router]);
  return (newUser, message) => {
    setJustSignedIn(true);
    setSession(queries, newUser);
    toastSuccess(message.title, message.description);
  };
}

/** Subscribes a person who has just signed up or in to product news. Nothing waits for it, and its failure is only logged. */
export function subscribeToNews({ email, displayName, username }: User): void {
  // A username, which stands in for a missing display name, is no first name.
  const firstName = displayName && displayName !== username ? displayName.split(/\s+/)[0] : undefined;
  call(subscribe, { body: { email, ...(firstName && { firstName }) } }).catch((error: unknown) =>
    logWarning('Subscribing to product news failed', error),
  );
}
