import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Info, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { uploadLimit, uploadNotice } from '#shared/imports.ts';
import { FilePicker } from '../ui/file-picker.tsx';
import { toast } from '../ui/toast.tsx';
import { ImportFailures } from './import-failures.tsx';
import { ImportProgress } from './import-progress.tsx';
import type { Import } from './use-import.ts';

const columns = [
  'description',
  'riskLevel',
  'sourceDetails',
  'notes',
  'niche',
  'domainRating',
  'outboundLinks',
  'cost',
];

/** The inside of the 'Import CSV' dialog: choose a file, watch it, read what came of it. */
export function ImportDialog({ current, onClose }: { current: Import; onClose(): void }) {
  const { job, stage } = current;
  if (!stage) return <ChooseFile onStart={current.start} onClose={onClose} />;
  return (
    <Stack gap="md">
      {job?.status === 'failed' && (
        <Alert color="red" variant="light" title="Error" icon={<TriangleAlert size={18} aria-hidden />}>
          {job.message}
        </Alert>
      )}
      <ImportProgress stage={stage} job={job} fileName={current.fileName} />
      {job && job.failedCount > 0 && <ImportFailures job={job} />}
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {current.isBusy && job && 'You can close this: the import goes on.'}
        </Text>
        <Group gap="sm">
          {job && !current.isBusy && (
            <Button variant="default" onClick={current.reset}>
              Import Another File
            </Button>
          )}
          {current.isBusy && !job && (
            <Button variant="default" onClick={current.cancelUpload}>
              Cancel upload
            </Button>
          )}
          <Button variant={current.isBusy ? 'default' : 'filled'} onClick={onClose}>
            Close
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

function ChooseFile({ onStart, onClose }: { onStart(file: File): Promise<void>; onClose(): void }) {
  const [file, setFile] = useState<File | null>(null);
  const problem = file ? problemOf(file) : undefined;
  const start = () => {
    if (!file) {
      toast({ title: 'No file selected', description: 'Please select a CSV file to import', tone: 'destructive' });
    } else if (!problem) void onStart(file);
  };
  return (
    <Stack gap="md">
      <Text size="sm">
        A header row with at least the columns <Code>domain</Code> and <Code>source</Code>. Optional columns:{' '}
        {columns.map((column, index) => (
          <span key={column}>
            <Code>{column}</Code>
            {index < columns.length - 1 ? ', ' : '.'}
          </span>
        ))}{' '}
        A domain that is listed already is updated.
      </Text>
      <FilePicker
        file={file}
        onChange={setFile}
        label="Choose a CSV file"
        hint="CSV, up to 200 MB"
        error={problem}
        accept=".csv,text/csv"
      />
      {file && !problem && file.size > uploadNotice && (
        <Alert color="yellow" variant="light" icon={<Info size={18} aria-hidden />}>
          This is a large file: processing may take several minutes (5-10 for 200K+ links).
        </Alert>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={start}>Import</Button>
      </Group>
    </Stack>
  );
}

function problemOf(file: File): string | undefined {
  if (!/\.csv$/i.test(file.name)) return 'Please upload a CSV file';
  if (file.size > uploadLimit) return 'File size exceeds the limit (200MB)';
  return undefined;
}
