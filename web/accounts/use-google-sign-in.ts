import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { User } from '#shared/accounts.ts';
import { signInWithGoogle } from '#shared/google-sign-in.ts';
import type { GoogleSettings } from '#shared/pages.ts';
import { ApiError, call } from '../lib/api.ts';
import { leaveGoogle, setSession } from '../session/session.tsx';
import { toast } from '../ui/toast.tsx';
import { askGoogle, comesFromGoogle, takeRedirectAnswer } from './ask-google.ts';
import { isChangeOfMind, sentenceOf } from './google-errors.ts';
import { subscribeToNews } from './subscribe-to-news.ts';

type Way = typeof askGoogle;

/** Signs in with Google, and picks up the answer of somebody who was sent there. */
export function useGoogleSignIn(settings: GoogleSettings, onSignedIn: () => void) {
  const queryClient = useQueryClient();
  const [idTokenToJoin, setIdTokenToJoin] = useState<string>();

  const welcome = (user: User) => {
    setIdTokenToJoin(undefined);
    onSignedIn();
    setSession(queryClient, user);
    subscribeToNews(user);
    const description = `Welcome, ${user.displayName || user.username}.`;
    toast({ title: 'Signed in successfully!', description, tone: 'success' });
  };

  const signIn = useMutation({
    mutationFn: async (ask: Way) => {
      const idToken = await ask(settings);
      if (idToken === undefined) return undefined;
      try {
        return await call(signInWithGoogle, { body: { idToken } });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'password_needed') {
          setIdTokenToJoin(idToken);
          return undefined;
        }
        await leaveGoogle();
        throw error;
      }
    },
    onSuccess: (user) => user && welcome(user),
    onError: (error) => {
      if (isChangeOfMind(error)) return;
      toast({ title: 'Sign in failed', description: sentenceOf(error), tone: 'destructive' });
    },
  });

  const { mutate, reset } = signIn;
  const latest = useRef(settings);
  useEffect(() => {
    if (comesFromGoogle()) mutate(() => takeRedirectAnswer(latest.current));
  }, [mutate]);

  useEffect(() => {
    // Back from Google by the browser's button: the page stands there as it was left, waiting.
    const onShow = (event: PageTransitionEvent) => event.persisted && reset();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);

  return {
    start: () => mutate(askGoogle),
    isBusy: signIn.isPending || (signIn.isSuccess && signIn.data !== undefined),
    /** Why it came to nothing; no failure where `isQuiet`. */
    sentence: signIn.isError ? sentenceOf(signIn.error) : undefined,
    isQuiet: signIn.isError && isChangeOfMind(signIn.error),
    /** The proof of somebody who has a password account with the same address, until they join or leave it. */
    idTokenToJoin,
    welcome,
    stopJoining: () => {
      setIdTokenToJoin(undefined);
      void leaveGoogle();
    },
  };
}
