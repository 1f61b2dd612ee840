import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { logout } from '#shared/accounts.ts';
import { paths } from '../paths.ts';
import { toast } from '../ui/toast.tsx';
import { forgetDestination } from './after-sign-in.ts';
import { call } from './api.ts';
import { leaveGoogle } from './google.ts';
import { setSession } from './session.ts';

/** Ends the session and goes home. */
export function useLogOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await leaveGoogle();
    try {
      await call(logout, {});
    } catch {
      toast({ title: 'Sign out failed', description: 'There was a problem signing you out', tone: 'destructive' });
      return;
    }
    // Leave first: a guarded screen would send the person to sign in again.
    await navigate({ to: paths.home });
    setSession(queryClient, null);
    forgetDestination();
    toast({ title: 'Signed out', description: 'You have been signed out successfully', tone: 'success' });
  };
}
