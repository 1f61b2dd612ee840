import { Alert, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { FilePicker } from '../ui/file-picker.tsx';
import panel from '../ui/panel.module.css';
import { RunFailure } from '../ui/run-progress.tsx';
import { ImportFailures } from './import-failures.tsx';
import { isLarge } from './import-file.ts';
import { ImportProgress } from './import-progress.tsx';
import { importCompleted, useImportTab, type WatchedImport } from './use-import-tab.ts';

/** Fills the blacklist from a CSV file: choose or drop it, start, watch, see what became of every row. */
export function CsvImporter(watched: WatchedImport) {
  const importer = useImportTab(watched);
  const { file, job, stage, failure } = importer;
  const isOver = job !== undefined && job.status !== 'processing';
  return (
    <section className={panel.panel} aria-label="CSV importer">
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            Import domains from CSV
          </Title>
          <Text size="sm" c="dimmed" mt={2}>
            Files up to 200 MB.
          </Text>
        </div>
        {failure && <RunFailure title="Error" reason={failure} />}
        {job?.status === 'completed' && (
          <Alert
            color="green"
            variant="light"
            title={importCompleted.title}
            icon={<CircleCheck size={18} aria-hidden />}
          >
            {importCompleted.description}
          </Alert>
        )}
        {importer.isLoading && <Skeleton height={72} radius="md" />}
        {stage && (
          <ImportProgress
            stage={stage}
            fileName={importer.fileName}
            percent={'job' in stage ? stage.job.progress : Math.round(stage.uploading * 100)}
          />
        )}
        {!stage && !importer.isLoading && (
          <FilePicker
            file={file}
            onChange={importer.choose}
            label="Choose a CSV file"
            accept=".csv,text/csv"
            hint="With a header row that names at least domain and source"
          />
        )}
        {file && !job && !failure && isLarge(file) && (
          <Alert color="yellow" variant="light" title="Large file" icon={<CircleAlert size={18} aria-hidden />}>
            Processing may take several minutes (5-10 for 200K+ links). You can leave this page: the import goes on.
          </Alert>
        )}
        {job && job.failedCount > 0 && <ImportFailures job={job} />}
        <Group gap="sm">
          {isOver ? (
            <Button onClick={importer.reset}>Import Another File</Button>
          ) : (
            <Button onClick={importer.start} disabled={!importer.canStart}>
              {importer.isBusy ? 'Uploading...' : 'Start Import'}
            </Button>
          )}
          <Button variant="default" onClick={importer.reset} disabled={!file && !stage && failure === undefined}>
            Reset
          </Button>
        </Group>
      </Stack>
    </section>
  );
}
