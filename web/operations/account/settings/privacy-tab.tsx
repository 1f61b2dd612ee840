import { Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { downloadAccount } from '#shared/accounts/account-settings.ts';
import { buildUrl } from '../../../platform/api.ts';
import { withProof } from '../../../platform/proof.ts';
import { Button } from '../../../ui/button.tsx';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { Section } from '../../../ui/section.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

/** The export of the user's data, and the deletion of the account. */
export function PrivacyTab() {
  return (
    <Stack gap="md">
      <MyData />
      <DangerZone />
    </Stack>
  );
}

function MyData() {
  return (
    <Section
      title="My data"
      description="All data stored about you in one JSON file: account, sessions, websites and their reports, API keys without their values, submissions and messages."
    >
      <Stack gap="xs" align="flex-start">
        <DownloadButton variant="default" url={buildUrl(downloadAccount)} around={withProof}>
          Download my data
        </DownloadButton>
      </Stack>
    </Section>
  );
}

function DangerZone() {
  const [opened, dialog] = useDisclosure(false);
  return (
    <Section danger title="Danger zone" description="Deletes your account and its data. This action cannot be undone.">
      <Button color="red" onClick={dialog.open}>
        Delete my account
      </Button>
      <DeleteAccountDialog opened={opened} onClose={dialog.close} />
    </Section>
  );
}
