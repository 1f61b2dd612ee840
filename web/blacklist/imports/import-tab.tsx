import { Alert, Badge, Code, Group, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import {
  type ImportStatus,
  importPollIntervalMs,
  optionalColumns,
  requiredColumns,
} from '#shared/blacklist/imports.ts';
import { paths } from '../../paths.ts';
import { formatCount } from '../../platform/format.ts';
import { pollWhileRunning } from '../../platform/use-run.ts';
import { toAnalysisPhase, toUploadPhase } from '../../platform/use-time-left.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { FilePicker } from '../../ui/file-picker.tsx';
import panel from '../../ui/panel.module.css';
import { QueryState } from '../../ui/query-state.tsx';
import { RunFailure } from '../../ui/run-progress.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Hint, SectionTitle } from '../../ui/typography.ts';
import { ChooseColumns, useImportFile } from './choose-columns.tsx';
import { CancelImport, ImportDetails, ImportProgress } from './import-progress.tsx';
import styles from './import-tab.module.css';
import { importsQuery, useImportRun } from './imports.tsx';
import { importFailedToast, importFileHint, importFileTypes, isLarge, showResultToast } from './send-import.ts';

/** The Import Data screen: the importer, its file format, and recent imports. */
export function ImportTab(watched: WatchedImport) {
  const importer = useImportTab(watched);
  return (
    <>
      <div className={styles.columns}>
        <CsvImporter importer={importer} />
        <ImportFormat />
      </div>
      {/* The columns of a chosen file would move them. */}
      {(!importer.chosen.file || importer.job) && <RecentImports />}
    </>
  );
}

/** Imports a CSV file: a file picker, then the progress and the result. */
function CsvImporter({ importer }: { importer: ReturnType<typeof useImportTab> }) {
  const { chosen, job, stage, failure } = importer;
  const { file } = chosen;
  const isFinished = job !== undefined && job.status !== 'processing';
  const canImport = job?.status === 'completed' && job.dryRun && file !== null;
  return (
    <section className={panel.panel} aria-label="CSV importer">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            Import domains from CSV
          </Title>
          <Hint>Files up to 200 MB.</Hint>
        </div>
        {failure && <RunFailure title="Error" reason={failure} />}
        {job?.status === 'completed' && !job.dryRun && (
          <Alert color="green" title={importCompleted.title} icon={<CircleCheck size={18} aria-hidden />}>
            {importCompleted.description}
          </Alert>
        )}
        {importer.isLoading && <Skeleton height={72} radius="md" />}
        {stage && (
          <ImportProgress
            stage={stage}
            fileName={importer.fileName}
            percent={
              ('job' in stage ? toAnalysisPhase(stage.job.progress) : toUploadPhase(stage.sending.share)).percent
            }
          />
        )}
        {!stage && !importer.isLoading && (
          <FilePicker
            files={file ? [file] : []}
            onChange={([added]) => importer.choose(added ?? null)}
            label="Choose a CSV file"
            accept={importFileTypes}
            hint={importFileHint}
          />
        )}
        {file && !job && !chosen.typeProblem && isLarge(file) && (
          <Alert color="yellow" title="Large file" icon={<CircleAlert size={18} aria-hidden />}>
            Processing may take several minutes (5-10 for 200K+ links). You can leave this page once the file is
            uploaded.
          </Alert>
        )}
        {!stage && !importer.isLoading && <ChooseColumns chosen={chosen} />}
        {job && <ImportDetails job={job} />}
        <Group gap="sm">
          {(!isFinished || canImport) && (
            <Button onClick={() => void importer.start(false)} disabled={!importer.canStart}>
              {importer.isBusy ? 'Uploading...' : 'Start Import'}
            </Button>
          )}
          {!stage && (
            <Button variant="default" onClick={() => void importer.start(true)} disabled={!importer.canStart}>
              Check without importing
            </Button>
          )}
          {canImport && (
            <Button variant="default" onClick={importer.close}>
              Change columns
            </Button>
          )}
          {isFinished && !canImport && <Button onClick={importer.reset}>Import Another File</Button>}
          {job?.status === 'processing' && <CancelImport jobId={job.jobId} onCanceled={importer.close} />}
          <Button variant="default" onClick={importer.reset} disabled={!file && !stage && failure === undefined}>
            Reset
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

/** The import that the tab shows. The admin panel keeps its id in the URL. */
interface WatchedImport {
  jobId: string | undefined;
  onWatch(jobId: string | undefined): Promise<void>;
  /** Called when an import ends while the tab is open. */
  onImported(): void;
}

/** The state of the importer: the chosen file, then its import. */
function useImportTab({ jobId, onWatch, onImported }: WatchedImport) {
  const queries = useQueryClient();
  const chosen = useImportFile();
  const { file } = chosen;
  const run = useImportRun(jobId, {
    onStarted: async (startedId) => {
      void queries.invalidateQueries({ queryKey: importsQuery.queryKey });
      await onWatch(startedId);
    },
    onFinished: (done) => {
      if (done.status === 'completed' && !done.dryRun) toast({ ...importCompleted, tone: 'success' });
      else showResultToast(done);
      if (!done.dryRun) onImported();
    },
  });
  const { job, problem, stage } = run;
  const failed = job?.status === 'failed' ? importFailedToast(job.message).description : undefined;
  return {
    ...run,
    chosen,
    choose: (added: File | null) => {
      chosen.choose(added);
      run.clearProblem();
    },
    canStart: file !== null && chosen.typeProblem === undefined && !run.isBusy,
    failure:
      (stage ? undefined : (chosen.error ?? chosen.missing)) ??
      problem?.message ??
      failed ??
      (job ? undefined : run.error?.message),
    isLoading: jobId !== undefined && !run.stage && !run.error,
    start: async (dryRun: boolean) => {
      const request = await chosen.prepare(dryRun);
      if (request) await run.start(request);
    },
    /** Returns to the chosen file. */
    close: () => void onWatch(undefined),
    reset: () => {
      run.cancelUpload();
      chosen.choose(null);
      run.clearProblem();
      void onWatch(undefined);
    },
  };
}

const importCompleted = {
  title: 'Import Completed',
  description: 'Domains have been successfully imported to the blacklist.',
};

/** The columns of an import file, and how its rows are merged into the blacklist. */
function ImportFormat() {
  return (
    <aside className={styles.format} aria-label="File format">
      <Title order={2} size="h4">
        File format
      </Title>
      <p>
        A list of domains, or a table whose columns are separated by commas, semicolons or tabs. These column names are
        always recognized, and for other names you choose how each column is read:
      </p>
      <ColumnNames names={requiredColumns} />
      <p>Optional columns:</p>
      <ColumnNames names={optionalColumns} />
      <p>
        Domains that are already listed are updated: new sources are added, filled cells replace existing values, and
        empty cells keep them. Invalid rows are skipped; all other rows are imported.
      </p>
    </aside>
  );
}

function ColumnNames({ names }: { names: readonly string[] }) {
  return (
    <ul className={styles.names}>
      {names.map((name) => (
        <li key={name}>
          <Code>{name}</Code>
        </li>
      ))}
    </ul>
  );
}

const states: Record<ImportStatus['status'], { name: string; color: string }> = {
  processing: { name: 'Running', color: 'brand' },
  completed: { name: 'Completed', color: 'green' },
  failed: { name: 'Failed', color: 'red' },
  cancelled: { name: 'Canceled', color: 'gray' },
};

const columns: Column<ImportStatus>[] = [
  {
    name: 'File',
    onCard: 'title',
    cell: ({ jobId, fileName }) => (
      <TextLink to={paths.adminPanel} search={{ job: jobId }} size="sm">
        {fileName}
      </TextLink>
    ),
  },
  { name: 'Date', width: '128px', cell: ({ dateCreated }) => <DateText value={dateCreated} /> },
  {
    name: 'Status',
    width: '124px',
    cell: ({ status, dryRun }) => (
      <Badge color={states[status].color}>{status === 'completed' && dryRun ? 'Checked' : states[status].name}</Badge>
    ),
  },
  {
    name: 'Imported',
    width: '110px',
    isNumber: true,
    cell: ({ dryRun, imported }) => (dryRun ? '–' : formatCount(imported)),
  },
  {
    name: 'Updated',
    width: '110px',
    isNumber: true,
    cell: ({ dryRun, updated }) => (dryRun ? '–' : formatCount(updated)),
  },
  { name: 'Unchanged', width: '116px', isNumber: true, cell: ({ unchangedCount }) => formatCount(unchangedCount) },
  { name: 'Failed', width: '100px', isNumber: true, cell: ({ failedCount }) => formatCount(failedCount) },
  { name: 'Held', width: '90px', isNumber: true, cell: ({ heldCount }) => formatCount(heldCount) },
  { name: 'Seconds', width: '100px', isNumber: true, cell: ({ timeTaken }) => formatCount(timeTaken) },
];

/** The last imports, newest first, each with a link to its details. */
function RecentImports() {
  const imports = useQuery({ ...importsQuery, refetchInterval: pollWhileRunning(2 * importPollIntervalMs) });
  return (
    <section aria-labelledby="recent-imports">
      <SectionTitle id="recent-imports">Recent imports</SectionTitle>
      {!imports.data && <QueryState query={imports} height={200} />}
      {imports.data?.length === 0 && <Hint>No imports yet.</Hint>}
      {imports.data && imports.data.length > 0 && (
        <Table label="Recent imports" columns={columns} rows={imports.data} getRowKey={({ jobId }) => jobId} />
      )}
    </section>
  );
}
