import { NativeSelect, Skeleton, Stack, Table, TextInput } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sourceKinds } from '#shared/blacklist/choices.ts';
import {
  type ImportMapping,
  type ImportPreview,
  importFieldNames,
  importFields,
  isArchiveName,
  previewBytes,
  previewImport,
} from '#shared/blacklist/import-preview.ts';
import { ApiError } from '../../platform/api.ts';
import { upload } from '../../platform/upload.ts';
import { Checkbox, SelectField } from '../../ui/fields.tsx';
import { toast } from '../../ui/toast.tsx';
import { ErrorText, Hint, Strong } from '../../ui/typography.ts';
import { kindLabels } from '../sources/listings.tsx';
import styles from './choose-columns.module.css';
import { fileProblem, type ImportRequest, importFailedToast } from './send-import.ts';

type SourceKind = (typeof sourceKinds)[number];

/** What the user chose for a file. Without a mapping, it is that of the preview. */
interface Choices {
  mapping?: ImportMapping;
  source: string;
  kind: SourceKind;
}

const noChoices: Choices = { source: '', kind: 'manual' };

export type ImportFile = ReturnType<typeof useImportFile>;

/** The file to import, and how its columns are read. */
export function useImportFile() {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [choices, setChoices] = useState(noChoices);
  const [isMissing, setMissing] = useState(false);
  const typeProblem = file ? fileProblem(file) : undefined;
  const canPreview = file !== null && typeProblem === undefined;
  const preview = useQuery({ ...previewQuery(file), enabled: canPreview });
  const mapping = choices.mapping ?? preview.data?.mapping;

  /**
   * Returns the upload of the file, once its preview has loaded. A file without a preview is uploaded as it is, and the
   * server says what is wrong with it. If a choice is missing, shows what is missing.
   */
  async function prepare(dryRun: boolean): Promise<ImportRequest | undefined> {
    if (!file || typeProblem !== undefined) return undefined;
    const loaded = await client.ensureQueryData(previewQuery(file)).catch(() => undefined);
    if (!loaded) return { file, fields: {}, dryRun };
    const chosen = choices.mapping ?? loaded.mapping;
    const problem = findMissing(chosen, choices);
    setMissing(problem !== undefined);
    if (problem !== undefined) {
      toast(importFailedToast(problem));
      return undefined;
    }
    const needsSource = chosen.columns.source === undefined;
    const fields = {
      mapping: JSON.stringify(chosen),
      ...(needsSource && { defaultSource: choices.source.trim(), defaultKind: choices.kind }),
    };
    return { file, fields, dryRun };
  }

  return {
    file,
    choose: (chosen: File | null) => {
      setFile(chosen);
      setChoices(noChoices);
      setMissing(false);
    },
    typeProblem,
    /** Why the file cannot be read. */
    error: typeProblem ?? (preview.error instanceof ApiError ? preview.error.message : undefined),
    /** The choice that is missing, after an attempt to start. */
    missing: isMissing && mapping ? findMissing(mapping, choices) : undefined,
    isLoading: canPreview && preview.isPending,
    preview: canPreview ? preview.data : undefined,
    mapping,
    choices,
    change: (changes: Partial<Choices>) => setChoices({ ...choices, ...changes }),
    prepare,
  };
}

function findMissing({ columns }: ImportMapping, { source }: Choices): string | undefined {
  if (columns.domain === undefined) return 'Choose the column that contains the domains.';
  if (columns.source === undefined && source.trim() === '') return 'Enter the source of the domains.';
  return undefined;
}

const previewQuery = (file: File | null) =>
  queryOptions({
    queryKey: ['imports', 'preview', file?.name, file?.size, file?.lastModified],
    queryFn: ({ signal }) => {
      const start = file && !isArchiveName(file.name) ? file.slice(0, previewBytes) : (file ?? new Blob());
      return upload(previewImport, [new File([start], file?.name ?? '')], {}, { signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

/** The first rows of the chosen file, with what each column is read as. */
export function ChooseColumns({ chosen }: { chosen: ImportFile }) {
  const { preview, mapping, choices, change, missing } = chosen;
  if (chosen.isLoading) return <Skeleton height={220} radius="md" />;
  if (!preview || !mapping) return null;
  const Missing = missing ? ErrorText : Hint;
  const needsSource = mapping.columns.source === undefined;
  return (
    <Stack gap="sm" component="section" aria-label="Columns">
      <div>
        <Strong>Columns</Strong>
        <Hint size="xs">Check how each column is read. Ignored columns are not imported.</Hint>
      </div>
      <PreviewTable preview={preview} mapping={mapping} onChange={(changed) => change({ mapping: changed })} />
      {preview.rows.length > 0 && (
        <Checkbox
          label="The first row contains column names"
          className={styles.header}
          checked={hasHeader(preview, mapping)}
          onChange={({ currentTarget: { checked } }) =>
            change({ mapping: { ...mapping, headerLine: firstLine(preview) - (checked ? 0 : 1) } })
          }
        />
      )}
      {needsSource && (
        <div className={styles.source}>
          <TextInput
            label="Source"
            description="Where the file comes from, such as a marketplace"
            value={choices.source}
            onChange={({ currentTarget: { value } }) => change({ source: value })}
            error={mapping.columns.domain === undefined ? undefined : missing}
            required
            maxLength={100}
            autoComplete="off"
          />
          <NativeSelect
            label="Kind of source"
            description="If the source is new"
            data={kindOptions}
            value={choices.kind}
            onChange={({ currentTarget: { value } }) =>
              change({ kind: sourceKinds.find((kind) => kind === value) ?? noChoices.kind })
            }
          />
        </div>
      )}
      {mapping.columns.domain === undefined && (
        <Missing role={missing ? 'alert' : undefined}>Choose the column that contains the domains.</Missing>
      )}
    </Stack>
  );
}

const kindOptions = sourceKinds.map((value) => ({ value, label: kindLabels[value] }));

const firstLine = ({ rows }: ImportPreview): number => rows[0]?.line ?? 1;
const hasHeader = (preview: ImportPreview, { headerLine }: ImportMapping) => headerLine === firstLine(preview);

interface PreviewTableProps {
  preview: ImportPreview;
  mapping: ImportMapping;
  onChange(mapping: ImportMapping): void;
}

const findField = ({ columns, moreDomains }: ImportMapping, column: number) =>
  importFields.find((field) => columns[field] === column) ?? (moreDomains?.includes(column) ? 'domain' : undefined);

/** Several columns can be read as domains. Every other field has one column. */
function readColumnAs({ headerLine, columns, moreDomains = [] }: ImportMapping, column: number, chosen: string) {
  const field = importFields.find((one) => one === chosen);
  const domains = [columns.domain, ...moreDomains].flatMap((one) => (one === undefined || one === column ? [] : [one]));
  if (field === 'domain') domains.push(column);
  const [domain, ...more] = domains;
  const others = Object.entries(columns).filter(([name, at]) => name !== 'domain' && name !== field && at !== column);
  return {
    headerLine,
    columns: {
      ...Object.fromEntries(others),
      ...(domain !== undefined && { domain }),
      ...(field && field !== 'domain' && { [field]: column }),
    },
    ...(more.length > 0 && { moreDomains: more }),
  };
}

function PreviewTable({ preview, mapping, onChange }: PreviewTableProps) {
  const names = hasHeader(preview, mapping) ? (preview.rows[0]?.cells ?? []) : [];
  const rows = preview.rows.filter(({ line }) => line > mapping.headerLine).slice(0, 5);
  const fieldOf = (column: number) => findField(mapping, column) ?? '';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.frame} aria-label="First rows, scrollable" tabIndex={0}>
      <Table className={styles.table}>
        <Table.Thead>
          <Table.Tr>
            {preview.columns.map((column, at) => {
              const name = names[at] || `Column ${column + 1}`;
              return (
                <Table.Th key={column} data-ignored={fieldOf(column) === '' || undefined}>
                  <span className={styles.name} title={name}>
                    {name}
                  </span>
                  <SelectField
                    aria-label={`Read ${name} as`}
                    size="xs"
                    options={fieldOptions}
                    value={fieldOf(column)}
                    onChange={(field) => onChange(readColumnAs(mapping, column, field))}
                  />
                </Table.Th>
              );
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ line, cells }) => (
            <Table.Tr key={line}>
              {preview.columns.map((column, at) => (
                <Table.Td key={column} data-ignored={fieldOf(column) === '' || undefined} title={cells[at]}>
                  {cells[at]}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

const fieldOptions = [
  { value: '', label: 'Ignore' },
  ...importFields.map((value) => ({ value, label: importFieldNames[value] })),
];
