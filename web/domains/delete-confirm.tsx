import type { Domain } from '#shared/domains.ts';
import { formatCount } from '../lib/format-count.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface DeleteConfirmProps {
  /** One domain or a number of selected ones; undefined is closed. */
  what: Domain | number | undefined;
  isBusy: boolean;
  error: Error | null;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before domains are deleted. */
export function DeleteConfirm({ what, isBusy, error, onConfirm, onClose }: DeleteConfirmProps) {
  const isMany = typeof what === 'number';
  return (
    <ConfirmDialog
      opened={what !== undefined}
      onClose={onClose}
      onConfirm={onConfirm}
      title={isMany ? 'Delete selected domains' : 'Delete domain'}
      confirmLabel="Delete"
      busy={isBusy}
      error={error}
    >
      {isMany ? (
        `Are you sure you want to delete ${formatCount(what)} selected domains? This action cannot be undone.`
      ) : (
        <>
          Are you sure you want to delete <strong>{what?.domain}</strong>? This action cannot be undone.
        </>
      )}
    </ConfirmDialog>
  );
}
