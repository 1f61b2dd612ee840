import { CloseButton, Select, Skeleton, TextInput } from '@mantine/core';
import type { UploadPreview } from '#shared/reports/backlinks.ts';
import type { Website } from '#shared/reports/websites.ts';
import { formatBytes, formatCount, plural } from '../../../platform/format.ts';
import { selectLook } from '../../../ui/fields.tsx';
import { ErrorText, Hint, Strong } from '../../../ui/typography.ts';
import type { Target } from './assign.ts';
import styles from './bulk-upload.module.css';
import type { ChosenFile } from './use-chosen-files.ts';

interface FileRowProps {
  row: ChosenFile & { target: Target | undefined };
  websites: readonly Website[];
  onAssign(target: Target): void;
  onRemove(): void;
}

/** A file with what it was recognized as, and the website that it goes to. */
export function FileRow({ row: { file, preview, target }, websites, onAssign, onRemove }: FileRowProps) {
  const error = preview !== 'reading' && 'file' in preview ? preview.error : null;
  return (
    <li className={styles.row}>
      <div className={styles.file}>
        <Strong truncate title={file.name}>
          {file.name}
        </Strong>
        <Hint size="xs" component="div">
          <Recognized file={file} preview={preview} />
        </Hint>
      </div>
      <div className={styles.target}>
        {preview === 'reading' ? (
          <Skeleton height={36} radius="md" aria-label="Reading..." />
        ) : error === null ? (
          <TargetFields
            fileName={file.name}
            preview={preview}
            target={target}
            websites={websites}
            onAssign={onAssign}
          />
        ) : (
          <ErrorText>Not uploaded</ErrorText>
        )}
      </div>
      <CloseButton aria-label={`Remove ${file.name}`} onClick={onRemove} />
      {error !== null && <ErrorText className={styles.error}>{error}</ErrorText>}
    </li>
  );
}

function Recognized({ file, preview }: { file: File; preview: ChosenFile['preview'] }) {
  const size = formatBytes(file.size);
  if (preview === 'reading') return size;
  if ('unknown' in preview) return `${size} · ${preview.unknown}`;
  if (preview.error !== null) return size;
  const { tool, report, site } = preview;
  return (
    <>
      {size} · {tool}, {report} · {formatLinks(preview)} {site === null ? '' : 'to '}
      {site !== null && <span data-mono>{site}</span>}
    </>
  );
}

/** '1,200 links', or '1,200+ links' if only the start of the file was read. */
function formatLinks({ backlinks, complete }: UploadPreview): string {
  return complete ? plural(backlinks, 'link') : `${formatCount(backlinks)}+ links`;
}

interface TargetFieldsProps {
  fileName: string;
  preview: Exclude<ChosenFile['preview'], 'reading'>;
  target: Target | undefined;
  websites: readonly Website[];
  onAssign(target: Target): void;
}

function TargetFields({ fileName, preview, target, websites, onAssign }: TargetFieldsProps) {
  const site = 'file' in preview ? preview.site : null;
  const value = target === undefined ? null : target.to === 'existing' ? String(target.websiteId) : target.to;
  return (
    <>
      <Select
        {...selectLook}
        aria-label={`Website for ${fileName}`}
        placeholder="Choose a website"
        data={[
          ...options,
          { group: 'My websites', items: websites.map(({ id, domain }) => ({ value: String(id), label: domain })) },
        ]}
        value={value}
        onChange={(next) => next !== null && onAssign(toTarget(next, site))}
        searchable
        nothingFoundMessage="No matching websites"
        allowDeselect={false}
      />
      {target?.to === 'new' && (
        <TextInput
          aria-label={`Domain of the new website for ${fileName}`}
          placeholder="example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          value={target.domain}
          onChange={(event) => onAssign({ to: 'new', domain: event.currentTarget.value })}
        />
      )}
    </>
  );
}

const options = [
  { value: 'new', label: 'New website' },
  { value: 'skip', label: 'Do not upload' },
];

function toTarget(value: string, site: string | null): Target {
  if (value === 'skip') return { to: 'skip' };
  return value === 'new' ? { to: 'new', domain: site ?? '' } : { to: 'existing', websiteId: Number(value) };
}
