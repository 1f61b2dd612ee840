import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { Info } from 'lucide-react';
import { useEffect, useState } from 'react';
import { optionalColumns } from '#shared/imports.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/dialogs.tsx';
import { FilePicker } from '../ui/file-picker.tsx';
import { RunFailure } from '../ui/run-progress.tsx';
import { toastError } from '../ui/toast.tsx';
import { HeldRows, ImportFailures, ImportProgress } from './import-progress.tsx';
import { type Import, progressStep } from './imports.tsx';
import { fileProblem, isLarge } from './send-import.ts';

/** The content of the 'Import CSV' dialog: a file picker, then the progress and the result. */
export function ImportDialog({ importer, onClose }: { importer: Import; onClose(): void }) {
  const { job, stage, clearProblem } = importer;
  // Clear the error when the dialog closes, however it is closed.
  useEffect(() => clearProblem, [clearProblem]);
  if (!stage) return <ChooseFile problem={importer.problem} onStart={importer.start} onClose={onClose} />;
  return (
    <Stack gap="md">
      {job?.status === 'failed' && <RunFailure title="Error" reason={job.message} />}
      <ImportProgress stage={stage} fileName={importer.fileName} percent={progressStep(stage)} />
      {job?.status === 'completed' && job.heldCount > 0 && <HeldRows count={job.heldCount} />}
      {job && job.failedCount > 0 && <ImportFailures job={job} />}
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {importer.isBusy && job && 'You can close this dialog. The import continues.'}
        </Text>
        <Group gap="sm">
          {job && !importer.isBusy && (
            <Button variant="default" onClick={importer.reset}>
              Import Another File
            </Button>
          )}
          {importer.isBusy && !job && (
            <Button variant="default" onClick={importer.cancelUpload}>
              Cancel upload
            </Button>
          )}
          <Button variant={importer.isBusy ? 'default' : 'filled'} onClick={onClose}>
            Close
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

interface ChooseFileProps {
  problem: Import['problem'];
  onStart(file: File): Promise<void>;
  onClose(): void;
}

function ChooseFile({ problem: uploadProblem, onStart, onClose }: ChooseFileProps) {
  const [file, setFile] = useState<File | null>(null);
  const problem = file ? fileProblem(file) : undefined;
  const start = () => {
    if (!file) {
      toastError('No file selected', 'Please select a CSV file to import');
    } else if (!problem) void onStart(file);
  };
  return (
    <Stack gap="md">
      <Text size="sm">
        The file needs a header row with at least <Code>domain</Code> and <Code>source</Code>. Optional columns:{' '}
        {optionalColumns.map((column, index) => (
          <span key={column}>
            <Code>{column}</Code>
            {index < optionalColumns.length - 1 ? ', ' : '.'}
          </span>
        ))}{' '}
        Domains that are already listed are updated.
      </Text>
      <FilePicker
        files={file ? [file] : []}
        onChange={([chosen]) => setFile(chosen ?? null)}
        label="Choose a CSV file"
        hint="CSV, up to 200 MB"
        error={problem}
        accept=".csv,text/csv"
      />
      {file && !problem && isLarge(file) && (
        <Alert color="yellow" variant="light" icon={<Info size={18} aria-hidden />}>
          This is a large file. Processing may take several minutes (5-10 for 200K+ links).
        </Alert>
      )}
      {!file && <FormError error={uploadProblem} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={start}>Import</Button>
      </Group>
    </Stack>
  );
}
