import { Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { downloadAccount } from '#shared/accounts.ts';
import { urlOf } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { AccountSection } from './account-section.tsx';
import { ChangePassword } from './change-password.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { ProductNews } from './product-news.tsx';
import { Sessions } from './sessions.tsx';

/** The sessions, the password, the person's data, and the end of the account. */
export function SecurityTab() {
  return (
    <Stack gap="md">
      <Sessions />
      <ChangePassword />
      <ProductNews />
      <MyData />
      <DangerZone />
    </Stack>
  );
}

function MyData() {
  return (
    <AccountSection
      title="My data"
      description="Everything that is kept about you in one JSON file: account, sessions, websites with their reports, API keys without their values, submissions and messages."
    >
      <DownloadButton variant="default" url={urlOf(downloadAccount)}>
        Download my data
      </DownloadButton>
    </AccountSection>
  );
}

function DangerZone() {
  const [opened, dialog] = useDisclosure(false);
  return (
    <AccountSection
      danger
      title="Danger zone"
      description="Deletes your account and what belongs to it. This action cannot be undone."
    >
      <Button color="red" onClick={dialog.open}>
        Delete my account
      </Button>
      <DeleteAccountDialog opened={opened} onClose={dialog.close} />
    </AccountSection>
  );
}
