import { Stack } from '@mantine/core';
import { DangerZone } from './danger-zone.tsx';
import { DatabaseOperations } from './database-operations.tsx';
import { RiskLevelManagement } from './risk-level-management.tsx';

/** The Database tab: risk levels, what is to come, and the danger zone. */
export function DatabaseTab() {
  return (
    <Stack gap="lg">
      <RiskLevelManagement />
      <DatabaseOperations />
      <DangerZone />
    </Stack>
  );
}
