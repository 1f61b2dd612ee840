import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import { Info } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { importFields } from '#shared/blacklist/import-preview.ts';
import { Button } from '../../ui/button.tsx';
import { FilePicker } from '../../ui/file-picker.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { RunFailure } from '../../ui/run-progress.tsx';
import { toastError } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { ChooseColumns, type ImportFile, useImportFile } from './choose-columns.tsx';
import { CancelImport, ImportDetails, ImportProgress } from './import-progress.tsx';
import { type Import, progressStep } from './imports.tsx';
import { importFileHint, importFileTypes, isLarge } from './send-import.ts';

/** The content of the 'Import CSV' dialog: a file picker, then the progress and the result. */
export function ImportDialog({ importer, onClose }: { importer: Import; onClose(): void }) {
  const { job, stage } = importer;
  const chosen = useImportFile();
  const latest = useRef(importer);
  latest.current = importer;
  // Clear the error when the dialog closes, however it is closed.
  useEffect(() => () => latest.current.clearFailure(), []);
  const start = async (dryRun: boolean) => {
    if (!chosen.file) {
      toastError('No file selected', 'Please select a CSV file to import');
      return;
    }
    const request = await chosen.prepare(dryRun);
    if (request) await importer.start(request);
  };
  if (!stage) return <ChooseFile chosen={chosen} importer={importer} onStart={start} onClose={onClose} />;
  const canImport = job?.status === 'completed' && job.dryRun && chosen.file !== null;
  const chooseAnother = () => {
    chosen.choose(null);
    importer.reset();
  };
  return (
    <Stack gap="md">
      {job?.status === 'failed' && <RunFailure title="Error" reason={job.message} />}
      <ImportProgress stage={stage} fileName={importer.fileName} percent={progressStep(stage)} />
      {job && <ImportDetails job={job} />}
      <Group justify="space-between" gap="sm">
        <Hint>
          {job?.status === 'processing' &&
            `You can close this dialog. The ${job.dryRun ? 'check' : 'import'} continues.`}
        </Hint>
        <Group gap="sm">
          {job?.status === 'processing' && <CancelImport jobId={job.jobId} onCanceled={importer.reset} />}
          {job && !importer.isBusy && !canImport && (
            <Button variant="default" onClick={chooseAnother}>
              Import Another File
            </Button>
          )}
          {canImport && (
            <Button variant="default" onClick={importer.reset}>
              Change columns
            </Button>
          )}
          {importer.isBusy && !job && (
            <Button variant="default" onClick={importer.cancelUpload}>
              Cancel upload
            </Button>
          )}
          <Button variant={importer.isBusy || canImport ? 'default' : 'filled'} onClick={onClose}>
            Close
          </Button>
          {canImport && <Button onClick={() => void start(false)}>Import</Button>}
        </Group>
      </Group>
    </Stack>
  );
}

interface ChooseFileProps {
  chosen: ImportFile;
  importer: Import;
  onStart(dryRun: boolean): Promise<void>;
  onClose(): void;
}

function ChooseFile({ chosen, importer, onStart, onClose }: ChooseFileProps) {
  const { file } = chosen;
  return (
    <Stack gap="md">
      <Text size="sm">
        Choose a list of domains, or a table with a column of domains. These column names are always recognized:{' '}
        {importFields.map((column, index) => (
          <span key={column}>
            <Code>{column}</Code>
            {index < importFields.length - 1 ? ', ' : '.'}
          </span>
        ))}{' '}
        Domains that are already listed are updated.
      </Text>
      <FilePicker
        files={file ? [file] : []}
        onChange={([added]) => {
          chosen.choose(added ?? null);
          importer.clearProblem();
        }}
        label="Choose a CSV file"
        hint={importFileHint}
        error={chosen.error}
        accept={importFileTypes}
      />
      {file && !chosen.typeProblem && isLarge(file) && (
        <Alert color="yellow" icon={<Info size={18} aria-hidden />}>
          This is a large file. Processing may take several minutes (5-10 for 200K+ links).
        </Alert>
      )}
      <ChooseColumns chosen={chosen} />
      {!chosen.error && <FormError error={importer.problem} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="default" onClick={() => void onStart(true)}>
          Check without importing
        </Button>
        <Button onClick={() => void onStart(false)}>Import</Button>
      </Group>
    </Stack>
  );
}
