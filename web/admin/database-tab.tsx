import { Stack } from '@mantine/core';
import { DatabaseOperations } from './database-operations.tsx';
import { Maintenance } from './maintenance.tsx';
import { RiskLevelManagement } from './risk-level-management.tsx';

/** The Database tab: copies, tidying, risk levels, and emptying it. */
export function DatabaseTab() {
  return (
    <Stack gap="lg">
      <RiskLevelManagement />
      <Maintenance />
      <DatabaseOperations />
    </Stack>
  );
}
