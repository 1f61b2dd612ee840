import { Alert, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { FilePicker } from '../ui/file-picker.tsx';
import panel from '../ui/panel.module.css';
import { ImportFailures } from './import-failures.tsx';
import { fileProblem, isLarge } from './import-file.ts';
import { importWords } from './import-words.ts';
import { useImportTab, type WatchedImport } from './use-import-tab.ts';

/** Fills the blacklist from a CSV file: choose or drop it, start, watch, see what became of every row. */
export function CsvImporter(watched: WatchedImport) {
  const importer = useImportTab(watched);
  const { file, job, share, error } = importer;
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
        {error && (
          <Alert color="red" variant="light" title="Error" role="alert" icon={<TriangleAlert size={18} aria-hidden />}>
            {error}
          </Alert>
        )}
        {job?.status === 'completed' && (
          <Alert color="green" variant="light" title="Import Completed" icon={<CircleCheck size={18} aria-hidden />}>
            Domains have been successfully imported to the blacklist.
          </Alert>
        )}
        {importer.isLoading ? <Skeleton height={72} radius="md" /> : null}
        {job && (
          <JobProgress
            name={job.fileName}
            value={job.status === 'failed' ? undefined : job.progress}
            words={importWords(job)}
          />
        )}
        {!job && share !== undefined && file && (
          <JobProgress
            name={file.name}
            value={Math.round(share * 100)}
            words={
              share < 1 ? `Uploading... ${Math.round(share * 100)}%` : 'Processing... 0 imported so far (0s elapsed)'
            }
          />
        )}
        {!job && share === undefined && !importer.isLoading && (
          <FilePicker
            file={file}
            onChange={importer.choose}
            label="Choose a CSV file"
            accept=".csv,text/csv"
            hint="With a header row that names at least domain and source"
          />
        )}
        {file && !job && !error && isLarge(file) && (
          <Alert color="yellow" variant="light" title="Large file" icon={<CircleAlert size={18} aria-hidden />}>
            Processing may take several minutes (5-10 for 200K+ links). You can leave this page: the import goes on.
          </Alert>
        )}
        {job && job.failedCount > 0 && <ImportFailures job={job} />}
        <Group gap="sm">
          {isOver ? (
            <Button onClick={() => void importer.reset()}>Import Another File</Button>
          ) : (
            <Button
              onClick={() => void importer.start()}
              disabled={!file || importer.isActive || fileProblem(file) !== undefined}
            >
              {importer.isActive ? 'Uploading...' : 'Start Import'}
            </Button>
          )}
          <Button
            variant="default"
            onClick={() => void importer.reset()}
            disabled={!file && !job && error === undefined && share === undefined}
          >
            Reset
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

interface JobProgressProps {
  name: string;
  /** Undefined when nothing came of it: a bar would look as if it waited. */
  value: number | undefined;
  words: string;
}

function JobProgress({ name, value, words }: JobProgressProps) {
  return (
    <div>
      <Text size="sm" fw={500} truncate mb={6} title={name}>
        {name}
      </Text>
      {value !== undefined && <Progress value={value} aria-label={`Import of ${name}`} />}
      <Text size="sm" c="dimmed" mt={6} role="status">
        {words}
      </Text>
    </div>
  );
}
