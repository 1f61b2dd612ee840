import { Group, Stack } from '@mantine/core';
import { useRef } from 'react';
import type { Website } from '#shared/reports/websites.ts';
import { plural } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { FilePicker, toFileKey } from '../../../ui/file-picker.tsx';
import { Hint } from '../../../ui/typography.ts';
import { acceptedFiles, findFilesProblem } from '../start-analysis.ts';
import { groupUploads, maxBulkFiles, suggestTarget, type Target, type Upload } from './assign.ts';
import styles from './bulk-upload.module.css';
import { FileRow } from './file-row.tsx';
import type { useChosenFiles } from './use-chosen-files.ts';

const hint = `The exports of all your websites, up to ${maxBulkFiles} files. Each is assigned to the website that its links point to.`;

interface ChooseFilesProps {
  files: ReturnType<typeof useChosenFiles>;
  websites: readonly Website[];
  onStart(uploads: readonly Upload[]): void;
  onClose(): void;
}

/** The chosen files, each with the website that it goes to. */
export function ChooseFiles({ files, websites, onStart, onClose }: ChooseFilesProps) {
  const picker = useRef<HTMLDivElement>(null);
  const rows = files.chosen.map((chosen) => ({
    ...chosen,
    target: chosen.assigned ?? suggestTarget(chosen.file.name, chosen.preview, websites),
  }));
  const uploads = groupUploads(rows, websites);
  const isReading = rows.some(({ preview }) => preview === 'reading');
  const problem =
    rows.length > maxBulkFiles ? `Choose up to ${maxBulkFiles} files at a time.` : findUploadProblem(uploads);
  const unassigned = rows.filter(({ preview, target }) => preview !== 'reading' && !isAssigned(target)).length;
  return (
    <Stack gap="md">
      <div ref={picker}>
        <FilePicker
          files={[]}
          onChange={files.add}
          label={rows.length > 0 ? 'Add files' : 'Choose backlink exports'}
          {...(rows.length === 0 && { hint })}
          accept={acceptedFiles}
          multiple
          error={problem}
        />
      </div>
      {rows.length > 0 && (
        <ul className={styles.rows} aria-label="Files">
          {rows.map((row) => (
            <FileRow
              key={toFileKey(row.file)}
              row={row}
              websites={websites}
              onAssign={(target) => files.assign(row.file, target)}
              onRemove={() => {
                files.remove(row.file);
                picker.current?.querySelector('button')?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <Group justify="space-between" gap="sm">
        <Hint role="status">
          {rows.length > 0 && (isReading ? 'Reading the files...' : describe(uploads, unassigned))}
        </Hint>
        <Group gap="sm" className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={isReading || unassigned > 0 || uploads.length === 0 || problem !== undefined}
            onClick={() => onStart(uploads)}
          >
            {uploads.length === 0 ? 'Analyze' : `Analyze ${plural(uploads.length, 'website')}`}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

const isAssigned = (target: Target | undefined) =>
  target !== undefined && (target.to !== 'new' || target.domain.trim() !== '');

/** Says what happens next, or what is missing. */
function describe(uploads: readonly Upload[], unassigned: number): string {
  if (unassigned > 0) return `Choose a website for ${plural(unassigned, 'file')}.`;
  const files = uploads.reduce((sum, upload) => sum + upload.files.length, 0);
  const added = uploads.filter(({ websiteId }) => websiteId === null).length;
  const text = `${plural(files, 'file')} for ${plural(uploads.length, 'website')}`;
  return added === 0 ? `${text}.` : `${text}, ${added} of them new.`;
}

/** Why the files of a website cannot be uploaded together; undefined if all can. */
function findUploadProblem(uploads: readonly Upload[]): string | undefined {
  for (const { domain, files } of uploads) {
    const problem = findFilesProblem(files);
    if (problem) return `${domain}: ${problem}`;
  }
  return undefined;
}
