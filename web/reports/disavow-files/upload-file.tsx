import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { maxDisavowFileBytes, uploadDisavowFile } from '#shared/reports/disavow-files.ts';
import { ApiError } from '../../platform/api.ts';
import { upload } from '../../platform/upload.ts';
import { Button } from '../../ui/button.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { FilePicker } from '../../ui/file-picker.tsx';
import { FormError } from '../../ui/form-error.tsx';
import panel from '../../ui/panel.module.css';
import { toastSuccess } from '../../ui/toast.tsx';
import styles from './disavow.module.css';
import { disavowKey } from './queries.ts';

/** Google's disavow tool, where the file in use can be downloaded. */
export const googleToolUrl = 'https://search.google.com/search-console/disavow-links';

interface UploadFileProps {
  websiteId: number;
  hasFiles: boolean;
  /** Called with the id of the uploaded file. */
  onUploaded(id: number): void;
}

/** Uploads the disavow file that Google uses now, or starts with an empty one. */
export function UploadFile({ websiteId, hasFiles, onUploaded }: UploadFileProps) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [files, setFiles] = useState<readonly File[]>([]);
  const send = useMutation({
    mutationFn: (file: File) => upload(uploadDisavowFile, [file], {}, { params: { id: websiteId } }),
    onSuccess: async ({ id, fileName }) => {
      toastSuccess('File Uploaded', fileName);
      setFiles([]);
      setOpen(false);
      await client.invalidateQueries({ queryKey: disavowKey(websiteId) });
      onUploaded(id);
    },
  });
  const [file] = files;
  const tooLarge =
    file && file.size > maxDisavowFileBytes ? 'The file exceeds 10 MB. Google accepts up to 2 MB.' : undefined;
  const refusal = send.error instanceof ApiError ? send.error.fields.file : undefined;
  if (hasFiles && !isOpen) {
    return (
      <div>
        <Button variant="default" onClick={() => setOpen(true)}>
          Upload another file
        </Button>
      </div>
    );
  }
  return (
    <section className={panel.panel} aria-labelledby="current-file">
      <h2 id="current-file" className={styles.title}>
        Your current disavow file
      </h2>
      <p className={styles.text}>
        Google keeps one list per website, and each upload replaces it. Download the current list from{' '}
        <ExternalLink href={googleToolUrl}>Google's disavow tool</ExternalLink> and upload it here, so that no lines are
        lost.
      </p>
      <FilePicker
        label="Choose a disavow file"
        hint="A .txt file of up to 10 MB"
        accept=".txt,text/plain"
        files={files}
        error={tooLarge ?? refusal}
        onChange={(chosen) => {
          send.reset();
          setFiles(chosen);
        }}
      />
      <div className={styles.buttons}>
        <Button
          disabled={!file || tooLarge !== undefined}
          loading={send.isPending && send.variables === file}
          onClick={() => file && send.mutate(file)}
        >
          Upload
        </Button>
        {hasFiles ? (
          <Button variant="default" onClick={() => setOpen(false)}>
            Cancel
          </Button>
        ) : (
          <Button
            variant="default"
            loading={send.isPending && send.variables !== file}
            onClick={() => send.mutate(createEmptyFile())}
          >
            I have no disavow file yet
          </Button>
        )}
      </div>
      {refusal === undefined && <FormError error={send.error} />}
    </section>
  );
}

const createEmptyFile = () => new File(['# This website had no disavow file before.\n'], 'no-disavow-file.txt');
