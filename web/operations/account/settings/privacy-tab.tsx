import { Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { downloadAccount } from '#shared/accounts/account-settings.ts';
import { updateMyNewsletterStatus } from '#shared/accounts/newsletter.ts';
import { buildUrl, call } from '../../../platform/api.ts';
import { withProof } from '../../../platform/proof.ts';
import { Button } from '../../../ui/button.tsx';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { Checkbox } from '../../../ui/fields.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Section, Sections } from '../../../ui/section.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { newsQuery } from '../queries.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

/** Product news, the export of the user's data, and the deletion of the account. */
export function PrivacyTab() {
  return (
    <Sections>
      <ProductNews />
      <MyData />
      <DangerZone />
    </Sections>
  );
}

function ProductNews() {
  const queries = useQueryClient();
  const news = useQuery(newsQuery);
  const change = useMutation({
    mutationFn: (subscribed: boolean) => call(updateMyNewsletterStatus, { body: { subscribed } }),
    onSuccess: (status) => {
      queries.setQueryData(newsQuery.queryKey, status);
      toastSuccess(
        status.subscribed ? 'Subscribed' : 'Unsubscribed',
        status.subscribed ? 'You will receive product news by email.' : 'You will no longer receive product news.',
      );
    },
    onError: (error) => toastError('Error', error.message),
  });
  return (
    <Section title="Product news" description="Occasional product updates.">
      {!news.data && <QueryState query={news} height={24} />}
      {news.data && (
        <Checkbox
          label="Send me product news by email"
          checked={change.isPending ? change.variables : news.data.subscribed}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
      )}
      <FormError error={change.error} />
    </Section>
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
