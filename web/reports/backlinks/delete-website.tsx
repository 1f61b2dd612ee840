import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { deleteWebsite, type Website } from '#shared/reports/websites.ts';
import { ApiError, call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { websitesQuery } from '../websites/websites.ts';
import { reportsQuery, useScreenState } from './screen.ts';

/** The button that deletes a website after the user confirms. */
export function DeleteWebsite({ website }: { website: Website }) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={dialog.open}
        aria-label={`Delete Profile ${website.domain}`}
      >
        Delete Profile
      </Button>
      <DeleteWebsiteDialog website={website} opened={opened} onClose={dialog.close} />
    </>
  );
}

interface DeleteWebsiteDialogProps {
  website: Website;
  opened: boolean;
  onClose(): void;
}

/** Asks before it deletes a website with its reports. */
export function DeleteWebsiteDialog({ website, opened, onClose }: DeleteWebsiteDialogProps) {
  const { id, domain, reportCount } = website;
  const queries = useQueryClient();
  const { search, go } = useScreenState();
  const remove = useMutation({
    mutationFn: () => call(deleteWebsite, { params: { id } }),
    onSuccess: async () => {
      onClose();
      toastSuccess('Profile Deleted', `${domain} was deleted.`);
      if (search.profile === id) await go({ profile: undefined, tab: 'reports' }, { replace: true });
      queries.removeQueries({ queryKey: reportsQuery(id).queryKey });
      await queries.invalidateQueries({ queryKey: websitesQuery.queryKey });
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
