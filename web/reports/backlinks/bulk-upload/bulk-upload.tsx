import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLeaveWarning } from '../../../platform/use-leave-warning.ts';
import { websitesQuery } from '../../websites/websites.ts';
import { ChooseFiles } from './choose-files.tsx';
import { UploadList } from './upload-list.tsx';
import { useChosenFiles } from './use-chosen-files.ts';
import { useUploadQueue } from './use-upload-queue.ts';

interface BulkUploadProps {
  /** Files that were dropped before the dialog opened. */
  dropped: readonly File[];
  /** Called when files start or stop waiting in the browser. */
  onSending(isSending: boolean): void;
  onClose(): void;
}

/** Chooses the exports of several websites and assigns them, then uploads one website after the other. */
export function BulkUpload({ dropped, onSending, onClose }: BulkUploadProps) {
  const { data = [] } = useQuery(websitesQuery);
  const websites = data.toSorted((a, b) => a.domain.localeCompare(b.domain, 'en'));
  const files = useChosenFiles();
  const queue = useUploadQueue();
  const { add } = files;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the dialog opens
  useEffect(() => {
    if (dropped.length > 0) add(dropped);
  }, []);
  const { isSending } = queue;
  useLeaveWarning(isSending);
  useEffect(() => {
    onSending(isSending);
    return () => onSending(false);
  }, [isSending, onSending]);
  if (queue.uploads.length > 0) return <UploadList queue={queue} onClose={onClose} />;
  return (
    <ChooseFiles files={files} websites={websites} onStart={(uploads) => void queue.start(uploads)} onClose={onClose} />
  );
}
