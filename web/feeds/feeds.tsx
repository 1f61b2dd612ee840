import { Alert, Text } from '@mantine/core';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, ExternalLink, ListChecks, RotateCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { feedGroups } from '#shared/choices.ts';
import {
  type CatalogueEntry,
  createFeed,
  type Feed,
  listFeedCatalogue,
  listFeeds,
  refreshFeed,
} from '#shared/feeds.ts';
import { ApiError, call } from '../lib/api.ts';
import { formatCount, plural } from '../lib/format.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/fields.tsx';
import hidden from '../ui/hidden.module.css';
import { RunProgress } from '../ui/run-progress.tsx';
import { TextLink } from '../ui/screen.tsx';
import { ErrorState } from '../ui/states.tsx';
import { toastError } from '../ui/toast.tsx';
import styles from './feeds.module.css';

/** The query key prefix of all data of feeds. */
export const feedsKey = ['admin', 'feeds'];
/** How often running downloads are requested. */
export const pollIntervalMs = 1500;

/** Whether the feed is being downloaded, or waits for its first download. */
export const isLoading = ({ enabled, state, lastRun }: Feed) =>
  lastRun === null ? enabled && state === 'new' : lastRun.status === 'running';

/** Whether an admin should look at the feed. */
export const needsAttention = ({ state }: Pick<Feed, 'state'>) => state === 'failing' || state === 'review';

/** All feeds by name. Polls while one of them is being downloaded. */
export const feedsQuery = queryOptions({
  queryKey: [...feedsKey, 'list'],
  queryFn: ({ signal }) => call(listFeeds, { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.some(isLoading) ?? false) && pollIntervalMs,
});

export const catalogueQuery = queryOptions({
  queryKey: [...feedsKey, 'catalogue'],
  queryFn: ({ signal }) => call(listFeedCatalogue, { signal }),
  staleTime: 0,
});

/** Reloads the feeds, the catalogue and the history. */
export const refreshFeeds = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: feedsKey });

const groupTitles: Record<CatalogueEntry['group'], string> = {
  sellers: 'Link sellers and networks',
  disavow: 'Disavow lists',
  spamdexing: 'Spamdexing',
  wellKnown: 'Well-known sites',
};

/** The keys of the recommended lists that are not subscribed yet. */
export const listRecommendedKeys = (entries: readonly CatalogueEntry[]): string[] =>
  entries.filter(({ isRecommended, subscribed }) => isRecommended && !subscribed).map(({ key }) => key);

interface CataloguePickerProps {
  /** The catalogue, as `listFeedCatalogue` returns it. */
  entries: readonly CatalogueEntry[];
  /** The keys of the selected lists. Subscribed lists are shown as such and cannot be selected. */
  selected: readonly string[];
  onChange(keys: string[]): void;
  disabled?: boolean;
}

/**
 * The public lists of the catalogue in groups, with a checkbox each, a shortcut for the recommended ones, and a summary
 * of the selection. The parent keeps the selection and subscribes to the lists.
 */
export function CataloguePicker({ entries, selected, onChange, disabled = false }: CataloguePickerProps) {
  const recommended = listRecommendedKeys(entries);
  const isComplete = recommended.every((key) => selected.includes(key));
  const toggle = (key: string, isSelected: boolean) =>
    onChange(isSelected ? [...selected, key] : selected.filter((one) => one !== key));
  return (
    <div className={styles.picker}>
      <div className={styles.pickerBar}>
        <span role="status">{describeSelection(entries, selected)}</span>
        <span className={styles.actions}>
          <Button
            size="xs"
            variant="default"
            leftSection={<ListChecks size={14} aria-hidden />}
            disabled={disabled || isComplete}
            onClick={() => onChange([...new Set([...selected, ...recommended])])}
          >
            Select recommended
          </Button>
          <Button size="xs" variant="subtle" disabled={disabled || selected.length === 0} onClick={() => onChange([])}>
            Clear
          </Button>
        </span>
      </div>
      {listGroups(entries).map(({ group, lists }) => (
        <fieldset key={group} className={styles.group} disabled={disabled}>
          <legend>{groupTitles[group]}</legend>
          {lists.map((entry) => (
            <CatalogueOption
              key={entry.key}
              entry={entry}
              checked={selected.includes(entry.key)}
              onChange={(isSelected) => toggle(entry.key, isSelected)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

/** The groups that have lists, those with recommended lists first. */
function listGroups(entries: readonly CatalogueEntry[]) {
  const groups = feedGroups.map((group) => ({ group, lists: entries.filter((entry) => entry.group === group) }));
  const isRecommended = ({ lists }: (typeof groups)[number]) => lists.some((entry) => entry.isRecommended);
  return groups
    .filter(({ lists }) => lists.length > 0)
    .sort((a, b) => Number(isRecommended(b)) - Number(isRecommended(a)));
}

/** A size that changes daily, with two digits: 42,450 becomes '42,000'. */
const roundSize = (size: number) => Number(size.toPrecision(2));

/** 'No lists selected', '2 lists selected: about 22,000 domains, 500 protected' */
export function describeSelection(entries: readonly CatalogueEntry[], selected: readonly string[]): string {
  const lists = entries.filter(({ key }) => selected.includes(key));
  if (lists.length === 0) return 'No lists selected';
  const sizeOf = (kind: CatalogueEntry['kind']) =>
    roundSize(lists.filter((list) => list.kind === kind).reduce((sum, list) => sum + list.approximateSize, 0));
  const [listed, allowed] = [sizeOf('block'), sizeOf('allow')];
  const sizes = [
    ...(listed > 0 ? [plural(listed, 'domain')] : []),
    ...(allowed > 0 ? [`${formatCount(allowed)} protected`] : []),
  ];
  return `${plural(lists.length, 'list')} selected${sizes.length > 0 ? `: about ${sizes.join(', ')}` : ''}`;
}

interface CatalogueOptionProps {
  entry: CatalogueEntry;
  checked: boolean;
  onChange(isSelected: boolean): void;
}

function CatalogueOption({ entry, checked, onChange }: CatalogueOptionProps) {
  const { name, description, licence, homepage, kind, approximateSize, isRecommended, subscribed } = entry;
  const id = useId();
  return (
    <div className={styles.option} data-checked={checked || undefined} data-subscribed={subscribed || undefined}>
      {subscribed ? (
        <CircleCheck size={18} aria-hidden className={styles.done} />
      ) : (
        <Checkbox
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-text ${id}-size ${id}-license`}
          id={id}
          checked={checked}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
      <div className={styles.optionText}>
        <div className={styles.optionHead}>
          {/* The label covers the whole option, so that it is easy to press. */}
          {subscribed ? (
            <span className={styles.optionName}>{name}</span>
          ) : (
            <label htmlFor={id} id={`${id}-name`} className={styles.optionName}>
              {name}
            </label>
          )}
          {subscribed ? (
            <span className={styles.tag}>Subscribed</span>
          ) : (
            isRecommended && (
              <span className={styles.tag} data-tone="brand">
                Recommended
              </span>
            )
          )}
        </div>
        <p id={`${id}-text`} className={styles.optionDescription}>
          {description}
        </p>
        <div className={styles.facts}>
          <span id={`${id}-size`}>
            {kind === 'allow' ? 'Protects' : 'Lists'} about {plural(roundSize(approximateSize), 'domain')}
          </span>
          <span id={`${id}-license`}>License: {licence}</span>
          <ExternalSite href={homepage} of={name}>
            Homepage
          </ExternalSite>
        </div>
      </div>
    </div>
  );
}

interface ExternalSiteProps {
  href: string;
  /** What the page is about, for screen readers, unless the text says it. */
  of?: string;
  children: ReactNode;
}

/** A link to the page of a list on another site. */
export function ExternalSite({ href, of, children }: ExternalSiteProps) {
  return (
    <a className={styles.external} href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <ExternalLink size={12} aria-hidden />
      <span className={hidden.hidden}>{of && ` of ${of}`} (opens in a new tab)</span>
    </a>
  );
}

interface FeedProgressListProps {
  /** The ids of the feeds to show. */
  ids: readonly number[];
  /** Called once when all of these feeds have been downloaded or have failed. */
  onFinished?(feeds: Feed[]): void;
}

/** The progress of the downloads of feeds, and then their results. Updates by itself. */
export function FeedProgressList({ ids, onFinished }: FeedProgressListProps) {
  const { data, error, refetch, isFetching } = useQuery({ ...feedsQuery, refetchIntervalInBackground: true });
  const feeds = data?.filter(({ id }) => ids.includes(id)) ?? [];
  const ended = feeds.filter((feed) => !isLoading(feed));
  const failed = ended.filter(({ lastRun }) => lastRun?.status === 'failed');
  const isFinished = ids.length > 0 && feeds.length === ids.length && ended.length === feeds.length;
  const isReported = useRef(false);
  useEffect(() => {
    if (!isFinished || isReported.current) return;
    isReported.current = true;
    onFinished?.(feeds);
  });
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />;
    return <p data-waiting>Loading…</p>;
  }
  return (
    <div>
      <p className={styles.overall} role="status">
        {formatCount(ended.length - failed.length)} of {plural(feeds.length, 'list')} loaded
        {failed.length > 0 && `, ${formatCount(failed.length)} failed`}
      </p>
      <ul className={styles.progressList} aria-label="Lists">
        {feeds.map((feed) => (
          <li key={feed.id}>{isLoading(feed) ? <LoadingFeed feed={feed} /> : <LoadedFeed feed={feed} />}</li>
        ))}
      </ul>
    </div>
  );
}

/** The progress of one feed. Not announced, because several feeds load at the same time. */
function LoadingFeed({ feed: { name, lastRun } }: { feed: Feed }) {
  return (
    <>
      <RunProgress label={name} name={name} percent={lastRun?.progress ?? 0} />
      <Text size="sm" c="dimmed" mt={4}>
        {lastRun?.message || 'Waiting to start'}
      </Text>
    </>
  );
}

function LoadedFeed({ feed }: { feed: Feed }) {
  const { id, name, kind, domains, lastRun, licence, homepage } = feed;
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => call(refreshFeed, { params: { id } }),
    onSuccess: () => refreshFeeds(client),
    onError: (error) => toastError('The download did not start', error.message),
  });
  const isFailed = lastRun?.status === 'failed';
  const needsReview = lastRun?.status === 'review';
  const Icon = isFailed || needsReview ? TriangleAlert : CircleCheck;
  return (
    <>
      <div className={styles.progressHead}>
        <span className={styles.progressName}>
          <Icon size={16} aria-hidden className={isFailed || needsReview ? styles.bad : styles.done} />
          {name}
        </span>
        <span className={styles.quiet}>
          {isFailed
            ? 'Failed'
            : needsReview
              ? 'Waits for review'
              : `${plural(domains, 'domain')}${kind === 'allow' ? ' protected' : ''}`}
        </span>
      </div>
      {isFailed ? (
        <div className={styles.failure}>
          <span>{lastRun.error ?? 'The list could not be downloaded.'}</span>
          <Button
            size="xs"
            variant="default"
            leftSection={<RotateCw size={14} aria-hidden />}
            loading={retry.isPending}
            onClick={() => retry.mutate()}
          >
            Try again<span className={hidden.hidden}> to load {name}</span>
          </Button>
        </div>
      ) : (
        (licence || homepage) && (
          <p className={styles.facts}>
            {licence && <span>License: {licence}</span>}
            {homepage && (
              <ExternalSite href={homepage} of={name}>
                Homepage
              </ExternalSite>
            )}
          </p>
        )
      )}
    </>
  );
}

/** Subscribes to lists of the catalogue one after the other. A failure does not stop the others. */
export async function subscribeToLists(entries: readonly CatalogueEntry[]) {
  const failed: { entry: CatalogueEntry; message: string }[] = [];
  for (const entry of entries) {
    try {
      await call(createFeed, { body: { catalogueKey: entry.key } });
    } catch (error) {
      // Another tab or an earlier attempt has added it.
      if (error instanceof ApiError && error.body.existingId !== undefined) continue;
      failed.push({ entry, message: error instanceof ApiError ? error.message : 'Something went wrong.' });
    }
  }
  return { added: entries.length - failed.length, failed };
}

/** The number of feeds that the alert names. */
const maxNamed = 3;

/** Names the feeds that fail or wait for review, and links to them. Renders nothing if there are none. */
export function FeedAlert({ feeds }: { feeds: readonly Feed[] }) {
  const shown = feeds.filter(needsAttention);
  if (shown.length === 0) return null;
  const others = shown.length - maxNamed;
  return (
    <Alert
      className={styles.dashboardAlert}
      color={shown.some(({ state }) => state === 'failing') ? 'red' : 'yellow'}
      variant="light"
      icon={<TriangleAlert size={18} aria-hidden />}
      title={shown.length === 1 ? 'A feed needs attention' : `${formatCount(shown.length)} feeds need attention`}
    >
      <ul className={styles.attention}>
        {shown.slice(0, maxNamed).map(({ id, name, state }) => (
          <li key={id}>
            <TextLink to={paths.adminFeeds} search={{ feed: id }} size="sm" underline="always" c="inherit">
              {name}
            </TextLink>{' '}
            {state === 'failing' ? 'cannot be downloaded.' : 'has a copy that waits for your review.'}
          </li>
        ))}
        {others > 0 && (
          <li>
            <TextLink to={paths.adminFeeds} size="sm" underline="always" c="inherit">
              {others === 1 ? '1 other feed' : `${formatCount(others)} other feeds`}
            </TextLink>
          </li>
        )}
      </ul>
    </Alert>
  );
}
