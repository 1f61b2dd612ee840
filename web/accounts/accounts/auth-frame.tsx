import { Container, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { User } from '#shared/accounts/accounts.ts';
import { subscribe } from '#shared/accounts/newsletter.ts';
import { getBlacklistStats } from '#shared/blacklist/domains.ts';
import { defaultDestination, paths } from '../../paths.ts';
import { call, logWarning } from '../../platform/api.ts';
import frame from '../../ui/card-frame.module.css';
import { toastSuccess } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { clearDestination, findDestination, setSession, useSession } from '../sessions/session.tsx';
import styles from './auth-page.module.css';

interface Props {
  title: string;
  description: ReactNode;
  children: ReactNode;
}

/** The heading and centered card of the sign-in screens. */
export function AuthFrame({ title, description, children }: Props) {
  return (
    <Container size={440} className={frame.frame}>
      <div className={frame.head}>
        <Title order={1}>{title}</Title>
        <Hint component="div">{description}</Hint>
      </div>
      <div className={`${frame.card} ${styles.card}`}>{children}</div>
    </Container>
  );
}

/** Starts the session of a user who has just signed in, and shows a toast. */
export type Welcome = (user: User, message: { title: string; description: string }) => void;

/** The delay between signing in and the redirect, so that the toast is visible, in milliseconds. */
const redirectDelayMs = 500;

/**
 * Redirects signed-in users: after a short delay if they have just signed in, otherwise immediately.
 * @param options `staysOpen`: whether users who opened the screen signed in stay on it. `destination`: where users go
 *   who have just signed in, if not to the saved destination or their first screen
 */
export function useWelcome({
  staysOpen = false,
  destination,
}: {
  staysOpen?: boolean;
  destination?: string;
} = {}): Welcome {
  const { user } = useSession();
  const queries = useQueryClient();
  const router = useRouter();
  const [justSignedIn, setJustSignedIn] = useState(false);
  useEffect(() => {
    if (!user || (staysOpen && !justSignedIn)) return;
    let isUnmounted = false;
    const leave = async () => {
      const next = (justSignedIn ? destination : undefined) ?? findDestination() ?? (await getStart(user));
      if (isUnmounted) return;
      router.history.replace(next);
      clearDestination();
    };
    const timer = setTimeout(() => void leave(), justSignedIn ? redirectDelayMs : 0);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
    };
  }, [user, justSignedIn, staysOpen, destination, router]);
  return (newUser, message) => {
    setJustSignedIn(true);
    setSession(queries, newUser);
    toastSuccess(message.title, message.description);
  };
}

/** The first screen of a user: for admins of an empty blacklist, the one that loads public lists. */
async function getStart({ isAdmin }: User): Promise<string> {
  if (!isAdmin) return defaultDestination;
  try {
    const { total } = await call(getBlacklistStats, {});
    return total === 0 ? paths.setup : defaultDestination;
  } catch (error) {
    logWarning('Reading the size of the blacklist failed', error);
    return defaultDestination;
  }
}

/** Subscribes a user who has just signed up or in to product news, in the background. A failure is only logged. */
export function subscribeToNews({ email, displayName, username }: User): void {
  // If the display name is the username, it is not a first name.
  const firstName = displayName && displayName !== username ? displayName.split(/\s+/)[0] : undefined;
  call(subscribe, { body: { email, ...(firstName && { firstName }) } }).catch((error: unknown) =>
    logWarning('Subscribing to product news failed', error),
  );
}
