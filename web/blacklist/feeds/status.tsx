import {
  CircleCheck,
  CircleEqual,
  CirclePause,
  CircleSlash,
  ClipboardCheck,
  Clock,
  Download,
  TriangleAlert,
} from 'lucide-react';
import type { Feed, FeedRun } from '#shared/blacklist/feeds.ts';
import { type Status, StatusLabel } from '../../ui/status-label.tsx';
import { ErrorText, Hint } from '../../ui/typography.ts';
import { isLoading } from './queries.ts';

const states: Record<Feed['state'], Status> = {
  new: { name: 'New', Icon: Clock },
  ok: { name: 'Updated', Icon: CircleCheck, tone: 'good' },
  unchanged: { name: 'Up to date', Icon: CircleEqual, tone: 'good' },
  failing: { name: 'Failing', Icon: TriangleAlert, tone: 'bad' },
  review: { name: 'Needs review', Icon: ClipboardCheck, tone: 'warning' },
  disabled: { name: 'Paused', Icon: CirclePause },
};

const statuses: Record<FeedRun['status'], Status> = {
  running: { name: 'Downloading', Icon: Download, tone: 'busy' },
  updated: states.ok,
  unchanged: { ...states.unchanged, name: 'No changes' },
  failed: { ...states.failing, name: 'Failed' },
  review: states.review,
};

/** The state of a feed: an icon and a word. */
export const FeedStateLabel = ({ feed }: { feed: Feed }) => (
  <StatusLabel status={isLoading(feed) ? statuses.running : states[feed.state]} />
);

const replaced: Status = { name: 'Replaced', Icon: CircleSlash };

/** The status of a run: an icon and a word. */
export const RunStatusLabel = ({ run: { status, isReplaced } }: { run: FeedRun }) => (
  <StatusLabel status={isReplaced ? replaced : statuses[status]} />
);

/** Why a run failed. A replaced copy is not an error. */
export const RunError = ({ run: { error, isReplaced } }: { run: FeedRun }) =>
  isReplaced ? <Hint>{error}</Hint> : <ErrorText>{error}</ErrorText>;
