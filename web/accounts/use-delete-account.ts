import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type AccountDeletion, deleteAccount } from '#shared/accounts.ts';
import { ApiError, call } from '../lib/api.ts';
import { paths } from '../paths.ts';
import { forgetDestination, leaveGoogle, setSession } from '../session/session.tsx';
import { toast } from '../ui/toast.tsx';

/** Deletes the account and goes home. `onRefused` hears what is wrong with the password or name that was typed. */
export function useDeleteAccount(onRefused: (sentence: string) => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: AccountDeletion) => call(deleteAccount, { body }),
    onSuccess: async (_, { keepReports }) => {
      await leaveGoogle();
      // Leave first: a guarded screen would send the person to sign in again.
      await navigate({ to: paths.home });
      setSession(queries, null);
      forgetDestination();
      toast({
        title: 'Account deleted',
        description: keepReports
          ? 'Your reports stay with the admins, without your name.'
          : 'Your account and what belonged to it are gone.',
        tone: 'success',
      });
    },
    onError: (error) => {
      const fields = error instanceof ApiError ? Object.values(error.fields) : [];
      onRefused(fields[0] ?? error.message);
      toast({ title: 'Deletion Failed', description: error.message, tone: 'destructive' });
    },
  });
}
