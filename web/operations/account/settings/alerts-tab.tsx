import { Group, Skeleton, Stack, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Globe } from 'lucide-react';
import { replaceAlertFeed } from '#shared/reports/alert-feed.ts';
import type { DigestInterval } from '#shared/reports/watch.ts';
import type { Website } from '#shared/reports/websites.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../platform/api.ts';
import { plural } from '../../../platform/format.ts';
import { askForIdentity, withProof } from '../../../platform/proof.ts';
import { WatchStatus } from '../../../reports/watch/watch.tsx';
import { WatchButton } from '../../../reports/watch/watch-button.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import rows from '../../../ui/row-list.module.css';
import { Section } from '../../../ui/section.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { Hint } from '../../../ui/typography.ts';
import { alertFeedQuery, polledWebsitesQuery } from '../queries.ts';
import styles from './account-list.module.css';

/** How the user's websites are watched, and the feed of alerts. */
export function AlertsTab() {
  return (
    <Stack gap="md">
      <WatchedWebsites />
      <AlertFeed />
    </Stack>
  );
}

function WatchedWebsites() {
  const { data, isError, error, refetch } = useQuery(polledWebsitesQuery);
  if (!data) {
    return isError ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={148} radius="md" aria-hidden />
    );
  }
  if (data.length === 0) {
    return (
      <div className={rows.list}>
        <EmptyState
          icon={Globe}
          title="No websites yet"
          description="Upload the backlink export of a website. Its hosts are then compared with every change of the blacklist."
        >
          <ButtonLink to={paths.riskAssessment}>Upload backlinks</ButtonLink>
        </EmptyState>
      </div>
    );
  }
  return (
    <ul className={rows.list} aria-label="Watched websites">
      {data.map((website) => (
        <WebsiteRow key={website.id} website={website} />
      ))}
    </ul>
  );
}

const digestTexts: Record<DigestInterval, string> = {
  off: 'No email',
  daily: 'Daily email',
  weekly: 'Weekly email',
};

function WebsiteRow({ website }: { website: Website }) {
  const { domain, watch } = website;
  return (
    <li className={`${rows.row} ${styles.row}`}>
      <div className={styles.words}>
        <Title order={2} size="h4">
          <span data-mono>{domain}</span>
        </Title>
        <WatchStatus website={website} />
        {watch.enabled && watch.hosts > 0 && (
          <Hint>
            {plural(watch.hosts, 'host')} · {digestTexts[watch.digest]}
          </Hint>
        )}
      </div>
      <WatchButton website={website} isEdit />
    </li>
  );
}

/** The secret address of the feed of alerts. */
function AlertFeed() {
  const client = useQueryClient();
  const feed = useQuery(alertFeedQuery);
  const [opened, dialog] = useDisclosure(false);
  const replace = useMutation({
    mutationFn: () => withProof(() => call(replaceAlertFeed, {})),
    onSuccess: (next) => {
      client.setQueryData(alertFeedQuery.queryKey, next);
      dialog.close();
      toastSuccess('Feed address replaced', 'Add the new address to your feed reader.');
    },
    onError: (error) => toastError('Address Not Replaced', error.message),
  });
  async function reveal(): Promise<void> {
    if (await askForIdentity()) await feed.refetch();
  }

  return (
    <Section
      title="Feed of alerts"
      description="Subscribe to this address in a feed reader or a chat tool. It is an Atom feed with one entry for each comparison that found changes. Anyone who knows the address can read your alerts."
    >
      {feed.isError && !feed.data ? (
        <ErrorState title="The address could not be loaded" error={feed.error} onRetry={() => void feed.refetch()} />
      ) : feed.data ? (
        <Stack gap="sm" align="flex-start">
          {feed.data.url === null ? (
            <Group gap="sm">
              <Hint>Confirm your identity to show the address.</Hint>
              <Button variant="default" size="xs" onClick={() => void reveal()}>
                Show address
              </Button>
            </Group>
          ) : (
            <FeedAddress url={feed.data.url} />
          )}
          <Button variant="default" size="xs" onClick={dialog.open}>
            Replace address
          </Button>
          <ConfirmDialog
            opened={opened}
            onClose={dialog.close}
            onConfirm={() => replace.mutate()}
            title="Replace address"
            confirmLabel="Replace address"
            busy={replace.isPending}
            error={replace.error}
          >
            The current address stops working. Feed readers that use it need the new one.
          </ConfirmDialog>
        </Stack>
      ) : (
        <Skeleton height={108} radius="md" aria-hidden />
      )}
    </Section>
  );
}

function FeedAddress({ url }: { url: string }) {
  return (
    <TextInput
      label="Feed address"
      className={styles.address}
      value={url}
      readOnly
      onFocus={(event) => event.currentTarget.select()}
      rightSection={<CopyButton value={url} label="Copy the feed address" />}
    />
  );
}
