import { Stack } from '@mantine/core';
import { Acts } from './acts.tsx';
import { Jobs } from './jobs.tsx';
import { SystemFacts } from './system-facts.tsx';

/** The System tab: what admins did, what ran in the background, and how this server is set. */
export function SystemTab() {
  return (
    <Stack gap="xl">
      <Acts />
      <Jobs />
      <SystemFacts />
    </Stack>
  );
}
