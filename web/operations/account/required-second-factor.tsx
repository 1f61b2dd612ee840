import { Stack, Text, Title } from '@mantine/core';
import { useTitle } from '../../platform/use-title.ts';
import { Page } from '../../ui/screen.tsx';
import { TwoFactor } from './settings/two-factor.tsx';

/** Shown on all screens to admins who have no second factor, on a server that requires one of admins. */
export function RequiredSecondFactor() {
  useTitle('Two-factor authentication required');
  return (
    <Page size={640}>
      <Stack gap="md">
        <Title order={1}>Two-factor authentication required</Title>
        <Text>
          This server requires two-factor authentication for admins. Turn it on to continue. You need an authenticator
          app on your phone.
        </Text>
        <TwoFactor />
      </Stack>
    </Page>
  );
}
