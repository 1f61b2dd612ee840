import { useEffect, useRef } from 'react';
import type { User } from '#shared/accounts.ts';
import { toast } from '../ui/toast.tsx';
import { keepsSomebody, loadGoogle } from './google.ts';
import { pageState } from './page-state.ts';
import { warn } from './warn.ts';

/** Signs somebody out whom the provider knows no longer: disabled there, or their sign-in taken back. Others load nothing. */
export function useGoogleWatch({ firebaseUid }: User, logOut: () => Promise<void>): void {
  const end = useRef(logOut);
  end.current = logOut;
  useEffect(() => {
    const { google } = pageState();
    if (!firebaseUid || !google || !keepsSomebody(google)) return;
    let isOver = false;
    loadGoogle()
      .then((sdk) => sdk.isStillKnown(google))
      .then(async (isKnown) => {
        if (isKnown || isOver) return;
        await end.current();
        const description = 'Google has ended this sign-in. Please sign in again.';
        toast({ title: 'Signed out', description, tone: 'destructive' });
      })
      .catch((error: unknown) => warn('Asking Google whether the sign-in still counts failed', error));
    return () => {
      isOver = true;
    };
  }, [firebaseUid]);
}
