import { Badge, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateRiskLevels } from '#shared/blacklist/domain-changes.ts';
import { countOfRisk, type RiskCounts, riskLevels } from '#shared/blacklist/domains.ts';
import { type MaintenanceRun, startMaintenance } from '#shared/operations/admin.ts';
import { call } from '../../platform/api.ts';
import { formatBytes, formatCount } from '../../platform/format.ts';
import { useRun } from '../../platform/use-run.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { RunProgress } from '../../ui/run-progress.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { DeleteAllSection, ExportAllButton } from './delete-all.tsx';
import { PanelSection } from './panel-section.tsx';
import { maintenanceQuery, refreshAllData } from './queries.ts';

/** The Database screen: risk levels, maintenance, the export and the deletion of all domains. */
export function DatabaseTab() {
  return (
    <Stack gap="lg">
      <RiskLevelManagement />
      <Maintenance />
      <PanelSection
        title="Export"
        description="Download every domain on the blacklist with all its columns, as one CSV file. Import this file into an empty blacklist to restore it. Listing dates are reset. Accounts, websites and reports are not included."
      >
        <ExportAllButton />
      </PanelSection>
      <DeleteAllSection
        title="Clear Database"
        description="Deletes every domain on the blacklist. Existing reports, accounts and websites do not change."
      />
    </Stack>
  );
}

const updateFailed = 'There was an error updating risk levels. Please try again.';

function RiskLevelManagement() {
  const queries = useQueryClient();
  const update = useMutation({
    mutationFn: () => call(updateRiskLevels, {}),
    onSuccess: async (result) => {
      toastSuccess('Risk Levels Updated', riskUpdateText(result));
      await refreshAllData(queries);
    },
    onError: () => toastError('Update Failed', updateFailed),
  });
  return (
    <PanelSection
      title="Risk Level Management"
      description="Recomputes the risk level of every domain from its number of sources: 1 is low, 2 or 3 is medium, 4 is high, 5 or more is very high. Replaces levels that were set manually or by an import."
      below={
        <>
          <FormError error={update.error && { message: updateFailed }} />
          {update.data && <Text size="sm">{riskUpdateText(update.data)}</Text>}
        </>
      }
    >
      <Button onClick={() => update.mutate()} disabled={update.isPending}>
        {update.isPending ? 'Updating Risk Levels...' : 'Update Risk Levels'}
      </Button>
    </PanelSection>
  );
}

/** 'Done in 1.2s. Very high: 3, high: 12, medium: 40, low: 9,945.' */
export function riskUpdateText({ timeTaken, stats }: { timeTaken: number; stats: RiskCounts }): string {
  const counts = riskLevels.toReversed().map((level) => `${level}: ${formatCount(countOfRisk(stats, level))}`);
  const time = timeTaken < 0.1 ? 'less than 0.1s' : `${Math.round(timeTaken * 10) / 10}s`;
  return `Done in ${time}. ${counts.join(', ').replace(/^v/, 'V')}.`;
}

/** Starts database maintenance, and shows the current or last run of any admin. */
function Maintenance() {
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
