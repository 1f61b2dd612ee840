import { useQuery, useQueryClient } from '@tanstack/react-query';
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
import { formatBytes, formatCount, plural } from '../../platform/format.ts';
import { Button, iconButton } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
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
  const query = useQuery(changesQuery(websiteId, file.id, older.id));
  const { data } = query;
  if (!data) return <QueryState query={query} height={72} />;
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
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete ${fileName}`}
      icon={Trash2}
      isIcon
      title="Delete file"
      run={() => call(deleteDisavowFile, { params: { id: websiteId, fileId: id } })}
      onDone={() => {
        toastSuccess('File Deleted', fileName);
        onDeleted();
        return client.invalidateQueries({ queryKey: disavowKey(websiteId) });
      }}
      errorTitle="Failed to Delete File"
      removesRow
    >
      <b data-mono>{fileName}</b> will be deleted here. The list at Google does not change. This action cannot be
      undone.
    </ConfirmButton>
  );
}
