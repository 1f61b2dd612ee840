import { useRef } from 'react';
import type { OwnedProfile } from '#shared/profiles.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useDeleteAny } from './use-owned-profiles.ts';

/** Asks before a website is deleted. */
export function DeleteProfileDialog({ profile, onClose }: { profile: OwnedProfile | undefined; onClose(): void }) {
  // While the dialog fades away it still says what it asked.
  const last = useRef(profile);
  if (profile) last.current = profile;
  const shown = last.current;
  const remove = useDeleteAny(onClose);
  return (
    <ConfirmDialog
      opened={profile !== undefined}
      onClose={onClose}
      onConfirm={() => shown && remove.mutate(shown)}
      title="Delete Profile"
      confirmLabel="Delete Profile"
      busy={remove.isPending}
      error={remove.error}
    >
      <b>{shown?.domain}</b> {consequence(shown?.reportCount ?? 0)}
      {shown?.userInfo && ` It belongs to ${shown.userInfo.username}.`} This action cannot be undone.
    </ConfirmDialog>
  );
}

function consequence(reports: number): string {
  if (reports === 0) return 'is deleted. It has no reports.';
  return reports === 1 ? 'and its report are deleted.' : `and its ${reports} reports are deleted.`;
}
