import { Group, Progress, Stack, Text } from '@mantine/core';
import type { ImportStatus } from '#shared/imports.ts';
import { type ImportStage, progressStep } from './import-steps.ts';
import { importWords } from './import-words.ts';

interface ImportProgressProps {
  stage: ImportStage;
  job: ImportStatus | undefined;
  fileName: string | undefined;
}

/** How far an import is: a bar in steps, and what has happened in words. */
export function ImportProgress({ stage, job, fileName }: ImportProgressProps) {
  const step = progressStep(stage);
  const isFailed = job?.status === 'failed';
  return (
    <Stack gap={8}>
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Text size="sm" fw={550} truncate title={fileName}>
          {fileName}
        </Text>
        <Text size="sm" c="dimmed">
          {isFailed ? 'Failed' : `${step}%`}
        </Text>
      </Group>
      <Progress.Root size="md">
        <Progress.Section
          value={step}
          color={isFailed ? 'red' : step === 100 ? 'green' : 'brand'}
          aria-label="Import progress"
        />
      </Progress.Root>
      <Text size="sm" c="dimmed" role="status">
        {words(stage, job)}
      </Text>
    </Stack>
  );
}

function words(stage: ImportStage, job: ImportStatus | undefined): string {
  if ('uploading' in stage) return `Uploading... ${Math.round(stage.uploading * 100)}%`;
  return job ? importWords(job) : '';
}
