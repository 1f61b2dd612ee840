import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteAnyProfile, type OwnedProfile, transferProfile } from '#shared/profiles.ts';
import { call } from '../lib/api.ts';
import { toast } from '../ui/toast.tsx';
import { ownedKey } from './queries.ts';

/** Gives a website to somebody else. */
export function useTransfer(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ profile, newOwner }: { profile: OwnedProfile; newOwner: string }) =>
      call(transferProfile, { body: { profileId: profile.id, newFirebaseUid: newOwner, userIsAdmin: true } }),
    onSuccess: ({ domain, userInfo }) => {
      onDone();
      toast({
        title: 'Profile Transferred',
        description: `${domain} belongs to ${userInfo?.username} now.`,
        tone: 'success',
      });
    },
    onError: (error) => toast({ title: 'Transfer Failed', description: error.message, tone: 'destructive' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ownedKey }),
  });
}

/** Deletes anybody's website. */
export function useDeleteAny(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (profile: OwnedProfile) => call(deleteAnyProfile, { params: { id: profile.id } }),
    onSuccess: (_, { domain }) => {
      onDone();
      toast({ title: 'Profile Deleted', description: `${domain} and its reports were deleted.`, tone: 'success' });
    },
    onError: (error) => toast({ title: 'Deletion Failed', description: error.message, tone: 'destructive' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ownedKey }),
  });
}
