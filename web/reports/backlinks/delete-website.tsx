import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteWebsite, restoreWebsite, type Website } from '#shared/reports/websites.ts';
import { ApiError, call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { toastError, toastUndoable } from '../../ui/toast.tsx';
import { DeletedWithWebsite } from '../websites/deleted-with-website.tsx';
import { websitesQuery } from '../websites/websites.ts';
import { reportsQuery, useScreenState } from './screen.ts';

/** The button that deletes a website after the user confirms. */
export function DeleteWebsite({ website }: { website: Website }) {
  const [deleting, setDeleting] = useState<Website>();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={() => setDeleting(website)}
        aria-label={`Delete Profile ${website.domain}`}
      >
        Delete Profile
      </Button>
      <DeleteWebsiteDialog website={deleting} onClose={() => setDeleting(undefined)} />
    </>
  );
}

interface DeleteWebsiteDialogProps {
  /** Undefined closes the dialog. */
  website: Website | undefined;
  onClose(): void;
}

/** Asks before it deletes a website with its reports. */
export function DeleteWebsiteDialog({ website, onClose }: DeleteWebsiteDialogProps) {
  const queries = useQueryClient();
  const { search, go } = useScreenState();
  const remove = useMutation({
    mutationFn: ({ id }: Website) => call(deleteWebsite, { params: { id } }),
    onSuccess: async (_, { id, domain }) => {
      onClose();
      toastUndoable('Profile Deleted', `${domain} was deleted.`, async () => {
        await call(restoreWebsite, { params: { id } });
        await queries.invalidateQueries({ queryKey: websitesQuery.queryKey });
      });
      if (search.profile === id) await go({ profile: undefined, tab: 'reports' }, { replace: true });
      queries.removeQueries({ queryKey: reportsQuery(id).queryKey });
      await queries.invalidateQueries({ queryKey: websitesQuery.queryKey });
    },
    onError: (error) => toastError(getErrorTitle(error), error.message),
  });
  return (
    <ConfirmDialog target={website} onClose={onClose} action={remove} title="Delete Profile">
      {(shown) => <DeletedWithWebsite website={shown} />}
    </ConfirmDialog>
  );
}

/** The toast title, which differs for a request that the server refused and one that did not reach it. */
function getErrorTitle(error: Error): string {
  return error instanceof ApiError && error.status > 0 ? 'Failed to Delete Profile' : 'Error Deleting Profile';
}
