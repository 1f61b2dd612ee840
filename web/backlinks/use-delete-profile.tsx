import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteProfile, type Profile } from '#shared/profiles.ts';
import { ApiError, call } from '../lib/api.ts';
import { profilesQuery } from '../profiles/profiles.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { reportsQuery } from './queries.ts';
import { useScreen } from './use-screen.ts';

/** Deletes a website after a question: `ask` opens it, `dialog` is to be rendered. */
export function useDeleteProfile(profile: Profile) {
  const queries = useQueryClient();
  const { search, go } = useScreen();
  const [opened, dialog] = useDisclosure(false);
  const remove = useMutation({
    mutationFn: () => call(deleteProfile, { params: { id: profile.id } }),
    onSuccess: async () => {
      dialog.close();
      toast({
        title: 'Profile Deleted',
        description: `${profile.domain} and its reports were deleted.`,
        tone: 'success',
      });
      if (search.profile === profile.id) await go({ profile: undefined, tab: 'reports' }, { replace: true });
      queries.removeQueries({ queryKey: reportsQuery(profile.id).queryKey });
      await queries.invalidateQueries({ queryKey: profilesQuery.queryKey });
    },
    onError: (error) => toast({ title: titleOf(error), description: error.message, tone: 'destructive' }),
  });
  const { reportCount } = profile;
  const reports = reportCount === 1 ? 'its report' : `its ${reportCount} reports`;
  return {
    ask: dialog.open,
    isPending: remove.isPending,
    dialog: (
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        onConfirm={() => remove.mutate()}
        title="Delete Profile"
        confirmLabel="Delete Profile"
        busy={remove.isPending}
        error={remove.error}
      >
        <b>{profile.domain}</b> {reportCount > 0 ? `and ${reports} are` : 'is'} deleted. This action cannot be undone.
      </ConfirmDialog>
    ),
  };
}

/** The server said no, or the question did not get through. */
function titleOf(error: Error): string {
  return error instanceof ApiError && error.status > 0 ? 'Failed to Delete Profile' : 'Error Deleting Profile';
}
