import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { destination, forgetDestination, useSession } from '../session/session.tsx';

/** Milliseconds between signing in and leaving, so that the message is seen. */
const leaveAfter = 500;

/**
 * Sends signed-in people on: at once those who came that way, after a moment those who have just signed in.
 * @param staysOpen who came signed in stays
 * @returns to be called by whoever signs in
 */
export function useLeave({ staysOpen = false } = {}): () => void {
  const { user } = useSession();
  const router = useRouter();
  const [justSignedIn, setJustSignedIn] = useState(false);
  useEffect(() => {
    if (!user || (staysOpen && !justSignedIn)) return;
    const leave = () => {
      router.history.replace(destination());
      forgetDestination();
    };
    const timer = setTimeout(leave, justSignedIn ? leaveAfter : 0);
    return () => clearTimeout(timer);
  }, [user, justSignedIn, staysOpen, router]);
  return () => setJustSignedIn(true);
}
