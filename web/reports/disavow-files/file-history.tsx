import { Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ResponseOf } from '#shared/platform/endpoint.ts';
import {
  type compareDisavowFiles,
  type DisavowFile,
  deleteDisavowFile,
  downloadOriginalDisavow,
  maxDisavowFiles,
} from '#shared/reports/disavow-files.ts';
import { buildUrl, call } from '../../platform/api.ts';
import { restoreFocus } from '../../platform/focus.ts';
import { formatBytes, formatCount, plural } from '../../platform/format.ts';
import { Button, IconButton, iconButton } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import styles from './disavow.module.css';
import { changesQuery, disavowKey } from './queries.ts';

interface FileHistoryProps {
  websiteId: number;
  /** Newest first. */
  files: readonly DisavowFile[];
  currentId: number;
  onShow(id: number | undefined): void;
}

/** The uploaded files of a website, with their differences. */
export function FileHistory({ websiteId, files, currentId, onShow }: FileHistoryProps) {
  const [compared, setCompared] = useState<number>();
  const columns: Column<DisavowFile>[] = [
    {
      name: 'File',
      onCard: 'title',
      cell: ({ id, fileName }) => (
        <button
          type="button"
          className={styles.fileName}
          data-mono
          aria-current={id === currentId || undefined}
          onClick={() => onShow(id)}
        >
          {fileName}
        </button>
      ),
    },
    { name: 'Uploaded', width: '190px', cell: ({ uploadedAt }) => <DateText value={uploadedAt} pattern="time" /> },
    { name: 'Lines', width: '90px', isNumber: true, cell: ({ lines }) => formatCount(lines) },
    { name: 'Size', width: '110px', isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
    {
      name: 'Actions',
      width: '220px',
      onCard: 'actions',
      cell: (file) => {
        const hasOlder = files.at(-1) !== file;
        return (
          <span className={styles.actions}>
            {hasOlder && (
              <Button
                size="xs"
                variant="default"
                aria-expanded={compared === file.id}
                aria-label={`Compare ${file.fileName} with the file before`}
                onClick={() => setCompared(compared === file.id ? undefined : file.id)}
              >
                Compare
              </Button>
            )}
            <a
              className={iconButton}
              href={buildUrl(downloadOriginalDisavow, { id: websiteId, fileId: file.id })}
              download
              aria-label={`Download ${file.fileName}`}
              title="Download"
            >
              <Download size={16} aria-hidden />
            </a>
            <DeleteFile
              websiteId={websiteId}
              file={file}
              onDeleted={() => file.id === currentId && onShow(undefined)}
            />
          </span>
        );
      },
    },
  ];
  return (
    <section aria-labelledby="file-history" className={styles.history}>
      <div>
        <h2 id="file-history" className={styles.title} tabIndex={-1}>
          History
        </h2>
        <p className={styles.quiet}>Up to {maxDisavowFiles} files are kept for each website.</p>
      </div>
      <Table
        label="Uploaded disavow files"
        columns={columns}
        rows={[...files]}
        getRowKey={({ id }) => id}
        renderBelow={(file) => {
          const older = files[files.indexOf(file) + 1];
          return compared === file.id && older && <Comparison websiteId={websiteId} file={file} older={older} />;
        }}
      />
    </section>
  );
}

interface ComparisonProps {
  websiteId: number;
  file: DisavowFile;
  older: DisavowFile;
}

/** The valid entries that were added and removed since the file before. */
function Comparison({ websiteId, file, older }: ComparisonProps) {
  const { data, error, refetch } = useQuery(changesQuery(websiteId, file.id, older.id));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={72} radius="sm" data-waiting role="status" aria-label="Loading..." />;
  return (
    <div className={styles.comparison}>
      <p className={styles.quiet}>
        Compared with <span data-mono>{older.fileName}</span> of <DateText value={older.uploadedAt} />
      </p>
      <Entries title="Added" entries={data.added} count={data.addedCount} />
      <Entries title="Removed" entries={data.removed} count={data.removedCount} />
    </div>
  );
}

type Changes = ResponseOf<typeof compareDisavowFiles>;

function Entries({ title, entries, count }: { title: string; entries: Changes['added']; count: number }) {
  return (
    <div>
      <h3>
        {title}: {plural(count, 'entry', 'entries')}
      </h3>
      {entries.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section className={styles.entries} tabIndex={0} aria-label={`${title} entries, scrollable`}>
          <ul>
            {entries.map((entry) => (
              <li key={entry} data-mono>
                {entry}
              </li>
            ))}
          </ul>
        </section>
      )}
      {count > entries.length && <p className={styles.quiet}>The first {formatCount(entries.length)} are shown.</p>}
    </div>
  );
}

interface DeleteFileProps {
  websiteId: number;
  file: DisavowFile;
  onDeleted(): void;
}

function DeleteFile({ websiteId, file: { id, fileName }, onDeleted }: DeleteFileProps) {
  const client = useQueryClient();
  const [opened, dialog] = useDisclosure(false);
  const remove = useMutation({
    mutationFn: () => call(deleteDisavowFile, { params: { id: websiteId, fileId: id } }),
    onSuccess: async () => {
      dialog.close();
      toastSuccess('File Deleted', fileName);
      onDeleted();
      restoreFocus(() => document.getElementById('file-history'));
      await client.invalidateQueries({ queryKey: disavowKey(websiteId) });
    },
    onError: (error) => toastError('Failed to Delete File', error.message),
  });
  return (
    <>
      <IconButton label={`Delete ${fileName}`} title="Delete" onClick={dialog.open}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
      <ConfirmDialog
        opened={opened}
        onClose={dialog.close}
        onConfirm={() => remove.mutate()}
        title="Delete file"
        confirmLabel="Delete file"
        busy={remove.isPending}
        error={remove.error}
      >
        <b data-mono>{fileName}</b> will be deleted here. The list at Google does not change. This action cannot be
        undone.
      </ConfirmDialog>
    </>
  );
}
