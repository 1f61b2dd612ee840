import { Modal, Skeleton } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/load-part.ts';
import { FocusedTitle } from '../../../ui/dialogs.tsx';

const BulkUpload = lazyPart(() => import('./bulk-upload.tsx'), 'BulkUpload');

/** The dialog that uploads the exports of several websites. It cannot be closed while files wait in the browser. */
export function BulkUploadDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
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
        <BulkUpload onSending={setSending} onClose={onClose} />
      </Suspense>
    </Modal>
  );
}
