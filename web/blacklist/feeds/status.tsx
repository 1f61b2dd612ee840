import { Text } from '@mantine/core';
import {
  CircleCheck,
  CircleEqual,
  CirclePause,
  CircleSlash,
  ClipboardCheck,
  Clock,
  Download,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react';
import type { Feed, FeedRun } from '#shared/blacklist/feeds.ts';
import styles from './feeds.module.css';
import { isLoading } from './feeds.tsx';

interface Look {
  name: string;
  Icon: LucideIcon;
  tone?: 'good' | 'bad' | 'warning' | 'busy';
}

const states: Record<Feed['state'], Look> = {
  new: { name: 'New', Icon: Clock },
  ok: { name: 'Updated', Icon: CircleCheck, tone: 'good' },
  unchanged: { name: 'Up to date', Icon: CircleEqual, tone: 'good' },
  failing: { name: 'Failing', Icon: TriangleAlert, tone: 'bad' },
  review: { name: 'Needs review', Icon: ClipboardCheck, tone: 'warning' },
  disabled: { name: 'Paused', Icon: CirclePause },
};

const statuses: Record<FeedRun['status'], Look> = {
  running: { name: 'Downloading', Icon: Download, tone: 'busy' },
  updated: states.ok,
  unchanged: { ...states.unchanged, name: 'No changes' },
  failed: { ...states.failing, name: 'Failed' },
  review: states.review,
};

/** The state of a feed: an icon and a word. */
export const FeedStateLabel = ({ feed }: { feed: Feed }) => (
  <Label look={isLoading(feed) ? statuses.running : states[feed.state]} />
);

const replaced: Look = { name: 'Replaced', Icon: CircleSlash };

/** The status of a run: an icon and a word. */
export const RunStatusLabel = ({ run: { status, isReplaced } }: { run: FeedRun }) => (
  <Label look={isReplaced ? replaced : statuses[status]} />
);

/** Why a run failed. A replaced copy is not an error. */
export const RunError = ({ run: { error, isReplaced } }: { run: FeedRun }) => (
  <Text size="sm" c={isReplaced ? 'dimmed' : 'var(--mantine-color-error)'}>
    {error}
  </Text>
);

function Label({ look: { name, Icon, tone } }: { look: Look }) {
  return (
    <span className={styles.status} data-tone={tone}>
      <Icon size={15} strokeWidth={2} aria-hidden />
      {name}
    </span>
  );
}
