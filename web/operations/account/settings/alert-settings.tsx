import { Group, Stack, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
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
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Row, RowList } from '../../../ui/row-list.tsx';
import { Section } from '../../../ui/section.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { Hint } from '../../../ui/typography.ts';
import { alertFeedQuery, polledWebsitesQuery } from '../queries.ts';
import styles from './account-list.module.css';

/** How the user's websites are watched, and how often alerts are sent by email. */
export function WatchedWebsites() {
  const websites = useQuery(polledWebsitesQuery);
  const { data } = websites;
  if (!data) return <QueryState query={websites} height={148} />;
  if (data.length === 0) {
    return (
      <EmptyState
        icon={Globe}
        title="No websites yet"
        description="Upload the backlink export of a website. Its hosts are then checked whenever the blacklist changes."
      >
        <ButtonLink to={paths.riskAssessment}>Upload backlinks</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <Section title="Alerts" description="Blacklist changes that affect the links of your websites.">
      <div className={styles.scroll}>
        <RowList aria-label="Watched websites">
          {data.map((website) => (
            <WebsiteRow key={website.id} website={website} />
          ))}
        </RowList>
      </div>
    </Section>
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
    <Row
      text={
        <>
          <Title order={3} size="h5">
            <span data-mono>{domain}</span>
          </Title>
          <WatchStatus website={website} />
          {watch.enabled && watch.hosts > 0 && (
            <Hint>
              {plural(watch.hosts, 'host')} · {digestTexts[watch.digest]}
            </Hint>
          )}
        </>
      }
    >
      <WatchButton website={website} isEdit />
    </Row>
  );
}

/** The secret address of the feed of alerts. */
export function AlertFeed() {
  const client = useQueryClient();
  const feed = useQuery(alertFeedQuery);
  async function reveal(): Promise<void> {
    if (await askForIdentity()) await feed.refetch();
  }

  return (
    <Section
      title="Feed of alerts"
      description="Subscribe to this address in a feed reader or a chat tool. It is an Atom feed with one entry for each comparison that found changes. Anyone who knows the address can read your alerts."
    >
      {feed.data ? (
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
          <ConfirmButton
            label="Replace address"
            title="Replace address"
            run={() => withProof(() => call(replaceAlertFeed, {}))}
            onDone={(next) => {
              client.setQueryData(alertFeedQuery.queryKey, next);
              toastSuccess('Feed address replaced', 'Add the new address to your feed reader.');
            }}
            errorTitle="Address Not Replaced"
          >
            The current address stops working. Feed readers that use it need the new one.
          </ConfirmButton>
        </Stack>
      ) : (
        <QueryState query={feed} height={108} title="The address could not be loaded" />
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
