import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import type { BodyInputOf } from '#shared/platform/endpoint.ts';
import {
  cancelLinkCheck,
  getLinkCheck,
  type LinkCheck,
  type LiveCounts,
  type LiveFilter,
  liveStates,
  startLinkCheck,
} from '#shared/reports/live-links.ts';
import type { SharedReport } from '#shared/reports/report-shares.ts';
import type { Report } from '#shared/reports/reports.ts';
import { call } from '../../../platform/api.ts';
import { endpointQuery } from '../../../platform/endpoint-query.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { useRun } from '../../../platform/use-run.ts';
import { Button } from '../../../ui/button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import chips from '../../../ui/filter-chips.module.css';
import { FormError } from '../../../ui/form-error.tsx';
import { Menu, menuItem } from '../../../ui/menu.tsx';
import { RunProgress } from '../../../ui/run-progress.tsx';
import styles from './live.module.css';
import { liveFilterTexts } from './live-texts.ts';
import menu from './report-menu.module.css';
import { overviewKey, type ReportScreen, reviewKey } from './screen.ts';

const checkQuery = (id: number, enabled: boolean) =>
  endpointQuery(['reports', 'link-check', id], getLinkCheck, {
    params: { id },
    enabled,
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.status === 'processing' && 2000,
  });

/** Before the first check there is nothing to wait for either. */
const toRun = ({ status, ...check }: LinkCheck) => ({ ...check, status: status === 'none' ? 'completed' : status });

/** The last check of the links of a report, and how to start another one. Undefined if pages are not visited. */
export function useLiveCheck({ id, checksLinks }: Report) {
  const client = useQueryClient();
  const query = checkQuery(id, checksLinks);
  const { data: last } = useRun(
    { ...query, select: toRun },
    {
      getId: ({ jobId }) => jobId ?? '',
      onFinished: () =>
        void Promise.all([
          client.invalidateQueries({ queryKey: reviewKey(id) }),
          client.invalidateQueries({ queryKey: overviewKey(id) }),
        ]),
    },
  );
  const refetch = () => client.invalidateQueries({ queryKey: query.queryKey });
  const start = useMutation({
    mutationFn: (body: BodyInputOf<typeof startLinkCheck>) => call(startLinkCheck, { params: { id }, body }),
    onSuccess: refetch,
  });
  const stop = useMutation({
    mutationFn: () => call(cancelLinkCheck, { params: { id } }),
    onSettled: refetch,
  });
  if (!checksLinks || !last) return undefined;
  return { last, start, stop, check: (domains: readonly string[]) => start.mutate({ domains: [...domains] }) };
}

interface LiveCheckProps {
  screen: ReportScreen;
  overview: SharedReport['overview'];
  /** Undefined if pages are not visited, or for readers. */
  liveCheck: ReturnType<typeof useLiveCheck>;
}

/** Which links still exist: the progress of the check, or its results as filters and the start of another one. */
export function LiveCheck({ screen, overview, liveCheck }: LiveCheckProps) {
  const { live } = overview;
  const results = live && <Results screen={screen} live={live} />;
  if (!liveCheck) {
    return (
      live && (
        <div className={styles.check}>
          <LastCheck checkedAt={live.checkedAt} />
          {results}
        </div>
      )
    );
  }
  const { last, start, stop } = liveCheck;
  const error = <FormError error={start.error ?? stop.error} />;
  if (last.status === 'processing') {
    return (
      <div className={styles.check}>
        <RunProgress
          label="Check of the links"
          name="Checking which links still exist"
          percent={last.progress}
          statusText={`${last.message || 'Waiting to start'}. You can leave this page. The check continues.`}
        >
          <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        </RunProgress>
        {error}
      </div>
    );
  }
  return (
    <div className={styles.check}>
      <div className={styles.row}>
        <LastCheck checkedAt={last.checkedAt} problem={last.status === 'completed' ? undefined : last.message} />
        <StartMenu
          isFirst={last.checkedAt === null}
          overview={overview}
          isStarting={start.isPending}
          onStart={(which) => start.mutate({ which })}
        />
      </div>
      {results}
      {error}
    </div>
  );
}

function LastCheck({ checkedAt, problem }: { checkedAt: string | null; problem?: string | undefined }) {
  if (checkedAt === null && !problem) {
    return <span data-quiet>Visit the pages to see which links still exist.</span>;
  }
  return (
    <span data-quiet role="status">
      {checkedAt !== null && (
        <>
          Links checked <DateText value={checkedAt} />
        </>
      )}
      {problem && ` ${problem}`}
    </span>
  );
}

/** The numbers of domains by state, which filter the list. */
function Results({ screen: { search, show }, live: found }: { screen: ReportScreen; live: LiveCounts }) {
  const filters: { live: LiveFilter; count: number }[] = [
    { live: 'nothingToDo' as const, count: found.nothingToDo },
    ...liveStates.map((live) => ({ live, count: found.counts[live] })),
  ].filter(({ count, live }) => count > 0 || live === search.live);
  if (filters.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className={styles.results} role="group" aria-label="Filter by state of the links">
      {filters.map(({ live, count }) => (
        <button
          key={live}
          type="button"
          className={chips.toggle}
          aria-pressed={search.live === live}
          onClick={() => void show({ live: search.live === live ? undefined : live })}
        >
          {live === 'nothingToDo' ? 'Nothing to do' : liveFilterTexts[live]}{' '}
          <span className={chips.count}>{formatCount(count)}</span>
        </button>
      ))}
    </div>
  );
}

interface StartMenuProps {
  isFirst: boolean;
  overview: SharedReport['overview'];
  isStarting: boolean;
  onStart(which: 'all' | 'undecided'): void;
}

function StartMenu({ isFirst, overview: { domains, decisionCounts }, isStarting, onStart }: StartMenuProps) {
  const label = isFirst ? 'Check links live' : 'Check again';
  const { undecided } = decisionCounts;
  return (
    <Menu
      label={label}
      buttonClass={menu.button}
      button={
        <>
          {isStarting ? 'Starting…' : label}
          <ChevronDown size={14} aria-hidden />
        </>
      }
    >
      <button type="button" role="menuitem" tabIndex={-1} className={menuItem} onClick={() => onStart('all')}>
        All {plural(domains, 'domain')}
      </button>
      {undecided > 0 && undecided < domains && (
        <button type="button" role="menuitem" tabIndex={-1} className={menuItem} onClick={() => onStart('undecided')}>
          {plural(undecided, 'domain')} to review
        </button>
      )}
    </Menu>
  );
}
