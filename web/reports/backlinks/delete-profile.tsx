import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { deleteProfile, type Profile } from '#shared/reports/profiles.ts';
import { ApiError, call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { profilesQuery } from '../profiles/profiles.ts';
import { reportsQuery, useScreenState } from './screen.ts';

/** The button that deletes a website after the user confirms. */
export function DeleteProfile({ profile }: { profile: Profile }) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={dialog.open}
        aria-label={`Delete Profile ${profile.domain}`}
      >
        Delete Profile
      </Button>
      <DeleteProfileDialog profile={profile} opened={opened} onClose={dialog.close} />
    </>
  );
}

interface DeleteProfileDialogProps {
  profile: Profile;
  opened: boolean;
  onClose(): void;
}

/** Asks before it deletes a website with its reports. */
export function DeleteProfileDialog({ profile, opened, onClose }: DeleteProfileDialogProps) {
  const { id, domain, reportCount } = profile;
  const queries = useQueryClient();
  const { search, go } = useScreenState();
  const remove = useMutation({
    mutationFn: () => call(deleteProfile, { params: { id } }),
    onSuccess: async () => {
      onClose();
      toastSuccess('Profile Deleted', `${domain} was deleted.`);
      if (search.profile === id) await go({ profile: undefined, tab: 'reports' }, { replace: true });
      queries.removeQueries({ queryKey: reportsQuery(id).queryKey });
      await queries.invalidateQueries({ queryKey: profilesQuery.queryKey });
    },
    onError: (error) => toastError(getErrorTitle(error), error.message),
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
      title="Delete Profile"
      confirmLabel="Delete Profile"
      busy={remove.isPending}
      error={remove.error}
    >
      <b data-mono>{domain}</b> will be deleted with its {reportCount > 0 && 'reports, '}decisions, notes, tags, disavow
      files, shared links, watched hosts and alerts. This action cannot be undone.
    </ConfirmDialog>
  );
}

/** The toast title, which differs for a request that the server refused and one that did not reach it. */
function getErrorTitle(error: Error): string {
  return error instanceof ApiError && error.status > 0 ? 'Failed to Delete Profile' : 'Error Deleting Profile';
}
