import { Badge, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type MaintenanceRun, startMaintenance } from '#shared/operations/admin.ts';
import { call } from '../../platform/api.ts';
import { formatBytes } from '../../platform/format.ts';
import { useRun } from '../../platform/use-run.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { RunProgress } from '../../ui/run-progress.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { PanelSection } from './panel-section.tsx';
import { maintenanceQuery, refreshAllData } from './queries.ts';

/** Starts database maintenance, and shows the current or last run of any admin. */
export function Maintenance() {
  const queries = useQueryClient();
  const { data: run, isPending } = useRun(maintenanceQuery, {
    getId: ({ id }) => id,
    onFinished: ({ status, message }) => {
      if (status === 'failed') toastError('Maintenance failed', message);
      else toastSuccess('Maintenance completed', message);
      void refreshAllData(queries);
    },
  });
  const start = useMutation({
    mutationFn: () => call(startMaintenance, {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: maintenanceQuery.queryKey }),
    onError: (error) => toastError('Maintenance failed', error.message),
  });
  const isRunning = run?.status === 'processing';
  return (
    <PanelSection
      title="Maintenance"
      description="Moves protected sites from the blacklist to the review queue, rebuilds the counts and vacuums the tables. Run it after updates, and after very large imports and deletions. The site stays available while it runs."
      below={
        <>
          <FormError error={start.error} />
          {run && <LastRun run={run} />}
        </>
      }
    >
      <Button
        variant="default"
        onClick={() => start.mutate()}
        loading={start.isPending}
        disabled={isRunning || isPending}
      >
        {isRunning ? 'Maintenance is running' : 'Run Maintenance'}
      </Button>
    </PanelSection>
  );
}

function LastRun({ run }: { run: MaintenanceRun }) {
  if (run.status === 'processing') {
    return (
      <RunProgress
        label="Maintenance"
        percent={run.progress}
        statusText={`${run.message}. Started by ${run.startedBy}.`}
      />
    );
  }
  const isFailed = run.status === 'failed';
  return (
    <Text size="sm" component="div">
      <Badge color={isFailed ? 'red' : 'green'}>{isFailed ? 'Failed' : 'Completed'}</Badge> {run.message}{' '}
      {sizeText(run)} Started by {run.startedBy}, finished <DateText value={run.dateFinished} pattern="time" />.
    </Text>
  );
}

function sizeText({ bytesBefore, bytesAfter }: MaintenanceRun): string {
  if (bytesBefore === null || bytesAfter === null) return '';
  const [before, after] = [formatBytes(bytesBefore), formatBytes(bytesAfter)];
  return before === after ? `Database size: ${after}.` : `Database size: ${after}, was ${before}.`;
}
