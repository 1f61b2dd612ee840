import { Modal, Skeleton } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/load-part.ts';
import { FocusedTitle } from '../../../ui/dialogs.tsx';

const BulkUpload = lazyPart(() => import('./bulk-upload.tsx'), 'BulkUpload');

interface BulkUploadDialogProps {
  opened: boolean;
  /** Files that were dropped before the dialog opened. */
  files: readonly File[];
  onClose(): void;
}

/** The dialog that uploads the exports of several websites. It cannot be closed while files wait in the browser. */
export function BulkUploadDialog({ opened, files, onClose }: BulkUploadDialogProps) {
  const [isSending, setSending] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<FocusedTitle>Upload several sites</FocusedTitle>}
      size="60rem"
      closeOnClickOutside={false}
      closeOnEscape={!isSending}
      withCloseButton={!isSending}
    >
      <Suspense fallback={<Skeleton height={190} radius="md" aria-label="Loading..." />}>
        <BulkUpload dropped={files} onSending={setSending} onClose={onClose} />
      </Suspense>
    </Modal>
  );
}
