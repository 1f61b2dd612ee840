import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn, Puzzle, RefreshCw, Search } from 'lucide-react';
import { getBlacklistStats } from '#shared/domains.ts';
import { atLeast, type BlacklistSize } from '#shared/pages.ts';
import { call } from '../lib/api.ts';
import { pageState } from '../lib/page-state.ts';
import { paths } from '../paths.ts';
import { BySession } from '../session/session.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { DomainCheck } from './domain-check.tsx';
import classes from './hero.module.css';

export function Hero() {
  return (
    <section className={classes.hero}>
      <div>
        <div className={classes.freshness}>
          <span className={classes.badge}>
            <RefreshCw size={13} aria-hidden />
            Updated monthly
          </span>
          <LastUpdate />
        </div>
        <h1 className={classes.title}>Protect Your SEO From Harmful Backlinks</h1>
        <p className={classes.lead}>
          Linksieve is a searchable blacklist of domains known or suspected to sell backlinks. Look a domain up before
          you buy a link there, or upload your backlink export and see which of your links come from sellers.
        </p>
        <div className={classes.buttons}>
          <BySession visitor={<VisitorWays />} user={<UserWays />} />
        </div>
      </div>
      <DomainCheck />
    </section>
  );
}

/** As with the size of the list (stats-strip.tsx), the server writes it. */
const unknownUpdate = import.meta.env.SSR ? '__LAST_UPDATE__' : null;

/** Its line is kept free until the date is known. */
function LastUpdate() {
  const lastUpdated = useStats()?.lastUpdated;
  return (
    <span className={classes.updated}>
      {lastUpdated ? (
        <>
          Database updated <DateText value={lastUpdated} />
        </>
      ) : (
        unknownUpdate
      )}
    </span>
  );
}

function UserWays() {
  return (
    <>
      <ButtonLink to={paths.domains} size="md" leftSection={<Search size={16} aria-hidden />}>
        Search Domain Database
      </ButtonLink>
      <ButtonLink
        to={paths.riskAssessment}
        size="md"
        variant="default"
        leftSection={<ChartNoAxesColumn size={16} aria-hidden />}
      >
        Analyze Your Backlinks
      </ButtonLink>
    </>
  );
}

function VisitorWays() {
  return (
    <>
      <ButtonLink to={paths.auth} search={{ tab: 'register' }} size="md">
        Sign Up - It's Free
      </ButtonLink>
      <ButtonLink to={paths.features} size="md" variant="default">
        View Features
      </ButtonLink>
      <ButtonLink to={paths.auth} size="md" variant="default" leftSection={<Puzzle size={16} aria-hidden />}>
        Install Extension
      </ButtonLink>
    </>
  );
}

/** Milliseconds between two questions about the numbers. */
const refreshEvery = 5 * 60 * 1000;

/** How large the blacklist is and when it last changed; undefined until the numbers are there. */
function useStats() {
  const { data } = useQuery({
    queryKey: ['stats', 'home'],
    queryFn: ({ signal }): Promise<BlacklistSize> => call(getBlacklistStats, { signal }),
    refetchInterval: refreshEvery,
    staleTime: refreshEvery,
    // The numbers that the page was served with, which are as old as the page.
    initialData: () => pageState().blacklist ?? undefined,
    initialDataUpdatedAt: () => performance.timeOrigin,
  });
  return data;
}

/** The page is made before the list is: the server writes the number into what it sends (server/http/pages.ts). */
const unknownSize = import.meta.env.SSR ? '__BLACKLIST_SIZE__' : '\u2013';

/** The size of the blacklist, how often it is renewed, what it costs. */
export function StatsStrip() {
  const stats = useStats();
  return (
    <dl className={classes.strip}>
      <Fact value={stats ? atLeast(stats.total) : unknownSize} label="domains in the blacklist" />
      <Fact value="Monthly" label="updates" />
      <Fact value="Free" label="forever access" />
    </dl>
  );
}

function Fact({ value, label }: { value: string; label: string }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
