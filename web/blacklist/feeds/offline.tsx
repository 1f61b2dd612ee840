import { Alert, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Feed, refreshFeed, unreachablePrefix } from '#shared/blacklist/feeds.ts';
import { call } from '../../platform/api.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { toastError } from '../../ui/toast.tsx';
import styles from './feeds.module.css';
import { refreshFeeds } from './queries.ts';

export const hasFailed = ({ lastRun }: Feed) => lastRun?.status === 'failed';

/** Whether the server has reached none of several feeds. One feed that does not respond may be gone. */
export const isOffline = (feeds: readonly Feed[]): boolean =>
  feeds.length > 1 && feeds.every((feed) => hasFailed(feed) && feed.lastRun?.error?.startsWith(unreachablePrefix));

/** Says once that no feed can be reached, and what to do. `children` are buttons. */
export function OfflineAlert({ children }: { children?: ReactNode }) {
  return (
    <Alert
      color="red"
      role="alert"
      icon={<TriangleAlert size={18} aria-hidden />}
      title="This server cannot reach the internet"
    >
      None of the lists responded. Check the network of the server and the setting DNS_SERVERS. Downloads do not use a
      proxy: without direct access, set FEED_MIRROR_URL to a mirror of the lists. You can also import a list of your
      own.
      {children && (
        <Group gap="sm" className={styles.offlineActions}>
          {children}
        </Group>
      )}
    </Alert>
  );
}

/** Downloads all failed feeds again. */
export function RetryAll({ feeds, ...look }: { feeds: readonly Feed[] } & Pick<ButtonLook, 'size' | 'variant'>) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => Promise.all(feeds.filter(hasFailed).map(({ id }) => call(refreshFeed, { params: { id } }))),
    onSettled: () => refreshFeeds(client),
    onError: (error) => toastError('The download did not start', error.message),
  });
  return (
    <Button {...look} leftSection={<RotateCw size={16} aria-hidden />} loading={isPending} onClick={() => mutate()}>
      Try all again
    </Button>
  );
}
