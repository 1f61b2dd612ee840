import { Alert, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ClipboardCheck } from 'lucide-react';
import { acceptFeedRun, type Feed, type FeedRun } from '#shared/blacklist/feeds.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { RunFailure } from '../../ui/run-progress.tsx';
import screen from '../../ui/screen.module.css';
import { Strong } from '../../ui/typography.ts';
import { describeReview, formatNext, reviewExplanation } from './describe.ts';
import type { FeedHandlers } from './feed-actions.tsx';
import styles from './feeds.module.css';
import { hasFailed } from './offline.tsx';
import { changesQuery, refreshFeeds } from './queries.ts';

/** After this many failures, the list may be gone for good. */
const manyFailures = 3;

/**
 * The copy of a feed that needs review, and why its last download failed. Undefined if there is neither.
 * @param isExplained whether the screen already says why
 */
export function renderAlerts(
  feed: Feed,
  { onRun, onEdit }: Pick<FeedHandlers, 'onRun' | 'onEdit'>,
  isExplained = false,
) {
  const { review, failures } = feed;
  // A copy that is accepted after the failure resets the number of failures.
  const isFailing = hasFailed(feed) && failures > 0 && !isExplained;
  if (!review && !isFailing) return undefined;
  return (
    <Stack gap={10}>
      {review && <ReviewAlert feed={feed} run={review} onRun={onRun} />}
      {isFailing && <FeedFailure feed={feed} onEdit={() => onEdit(feed)} />}
    </Stack>
  );
}

/** Why the last download of a feed failed, and what to do. */
function FeedFailure({ feed, onEdit }: { feed: Feed; onEdit(): void }) {
  const { name, url, failures, lastRun, lastSuccessAt, nextRunAt } = feed;
  return (
    <RunFailure
      title={failures > 1 ? `The last ${formatCount(failures)} downloads failed` : 'The last download failed'}
      reason={
        <>
          {lastRun?.error ?? 'The list could not be downloaded.'}{' '}
          {failures >= manyFailures &&
            'If the list moved, change its address. If it no longer exists, delete the feed.'}
          <br />
          {lastSuccessAt ? (
            <>
              The copy of <DateText value={lastSuccessAt} /> stays in use.
            </>
          ) : (
            'No copy has been downloaded yet.'
          )}
          {nextRunAt && (
            <>
              {' '}
              The next attempt is <DateText value={nextRunAt} text={formatNext(nextRunAt)} />.
            </>
          )}
        </>
      }
    >
      <Button size="xs" variant="default" aria-label={`Edit feed ${name}`} onClick={onEdit}>
        Edit feed
      </Button>
      <ExternalLink href={url} of={name}>
        Open the address
      </ExternalLink>
    </RunFailure>
  );
}

/** How many of the names that would go an alert shows. */
const sampleSize = 8;

interface ReviewAlertProps {
  feed: Feed;
  run: FeedRun;
  /** Called with the id of the run when its copy was accepted. */
  onRun(runId: number): void;
  /** Whether the names are listed below, so that the alert needs no sample. */
  withoutSample?: boolean;
}

/** A copy that needs review: what it would remove, and a button to accept it. */
export function ReviewAlert({ feed, run, onRun, withoutSample = false }: ReviewAlertProps) {
  const client = useQueryClient();
  const verb = feed.kind === 'allow' ? 'protect' : 'list';
  return (
    <Alert color="yellow" title={describeReview(run)} icon={<ClipboardCheck size={18} aria-hidden />} role="alert">
      <div className={styles.notice}>
        {!withoutSample && <RemovedSample feed={feed} run={run} />}
        <Text size="sm">{reviewExplanation}</Text>
        <div className={screen.actions}>
          <ConfirmButton
            label="Accept this copy"
            name={`Accept this copy of ${feed.name}`}
            variant="filled"
            title="Accept this copy"
            run={() =>
              call(acceptFeedRun, { params: { id: feed.id, runId: run.id } }).catch(async (error) => {
                await refreshFeeds(client);
                throw error;
              })
            }
            onDone={({ runId }) => onRun(runId)}
          >
            <b>{feed.name}</b> will no longer {verb} {plural(run.removed, 'domain')}
            {run.added > 0 && ` and will ${verb} ${formatCount(run.added)} new ${run.added === 1 ? 'one' : 'ones'}`}.
            {feed.kind === 'block' && ' Domains that no other source lists leave the blacklist.'}
          </ConfirmButton>
          {!withoutSample && (
            <ButtonLink
              size="xs"
              variant="default"
              to={paths.adminFeeds}
              search={{ feed: feed.id, run: run.id, change: 'removed' }}
            >
              See all {formatCount(run.removed)}
            </ButtonLink>
          )}
        </div>
      </div>
    </Alert>
  );
}

function RemovedSample({ feed, run }: { feed: Feed; run: FeedRun }) {
  const { data, isError } = useQuery(
    changesQuery(feed.id, run.id, { change: 'removed', page: 0, pageSize: sampleSize }),
  );
  if (!data && isError) return <Text size="sm">The domains that would be removed could not be loaded.</Text>;
  if (data?.names.length === 0) return null;
  // Empty lines keep the place of the names while they load.
  const names = data?.names ?? Array.from({ length: Math.min(run.removed, sampleSize) }, () => undefined);
  const others = run.removed - names.length;
  return (
    <div>
      <Strong>Domains that would be removed:</Strong>
      <ul className={styles.sample}>
        {names.map((name, i) => (
          <li key={name ?? i}>{name === undefined ? '\u00a0' : <bdi data-mono>{name}</bdi>}</li>
        ))}
        {others > 0 && <li>and {formatCount(others)} more</li>}
      </ul>
    </div>
  );
}
