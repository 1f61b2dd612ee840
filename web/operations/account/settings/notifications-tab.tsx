import { Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { updateMyNewsletterStatus } from '#shared/accounts/newsletter.ts';
import { Webhooks } from '../../../accounts/webhooks/webhooks.tsx';
import { call } from '../../../platform/api.ts';
import { Checkbox } from '../../../ui/fields.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { LoadTogether } from '../../../ui/load-together.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Section, Sections } from '../../../ui/section.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { newsQuery } from '../queries.ts';
import { AlertFeed, WatchedWebsites } from './alert-settings.tsx';

/** What reaches the user, and how: alerts, their emails and feed, webhooks and product news. */
export function NotificationsTab() {
  return (
    <LoadTogether>
      <Stack gap="md">
        <WatchedWebsites />
        <Sections>
          <AlertFeed />
          <ProductNews />
        </Sections>
        <Webhooks />
      </Stack>
    </LoadTogether>
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
