import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn, Puzzle, RefreshCw, Search } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { getBlacklistStats } from '#shared/blacklist/domains.ts';
import { type BlacklistSize, formatAtLeast } from '#shared/pages.ts';
import { BySession } from '../../accounts/sessions/session.tsx';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { Mesh } from '../../ui/mesh.tsx';
import { DomainCheckCard } from './domain-check.tsx';
import styles from './hero.module.css';
import { SampleReport } from './sample-report.tsx';

const UserNews = lazyPart(() => import('./user-news.tsx'), 'UserNews');

export function Hero() {
  return (
    <section className={styles.hero}>
      <Mesh width={1200} height={620} className={styles.mesh} />
      <div>
        <div className={styles.freshness}>
          <Link to={paths.updates} className={styles.badge}>
            <RefreshCw size={13} aria-hidden />
            Updated monthly
          </Link>
          <LastUpdate />
        </div>
        <h1 className={styles.title}>Protect Your SEO From Harmful Backlinks</h1>
        <p className={styles.lead}>
          Linksieve is a searchable blacklist of domains known or suspected to sell backlinks. Check a domain before you
          place a link there, or upload a backlink export to see which of your links come from known sellers.
        </p>
        <div className={styles.buttons}>
          <BySession visitor={<VisitorButtons />} user={<UserButtons />} />
        </div>
      </div>
      <DomainCheckCard />
      <BySession visitor={<SampleReport />} user={<UserPart />} />
    </section>
  );
}

/** As high as what loads. */
const UserPart = () => (
  <Suspense fallback={<div className={styles.news} data-waiting />}>
    <UserNews />
  </Suspense>
);

/** The date of the last update. The line keeps its height while the date is unknown. */
function LastUpdate() {
  const stats = useStats();
  return <span className={styles.updated}>{stats && describeLastUpdate(stats)}</span>;
}

function describeLastUpdate({ total, lastUpdated }: BlacklistSize): ReactNode {
  if (total === 0) return 'No domains yet';
  if (!lastUpdated) return null;
  return (
    <>
      Database updated <DateText value={lastUpdated} />
    </>
  );
}

function UserButtons() {
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

function VisitorButtons() {
  return (
    <div className={styles.visitor}>
      <ButtonLink to={paths.auth} search={{ tab: 'register' }} size="md">
        Sign Up - It's Free
      </ButtonLink>
      <ButtonLink to={paths.features} size="md" variant="default">
        View Features
      </ButtonLink>
      <ButtonLink
        to={paths.auth}
        search={{ next: paths.extension }}
        size="md"
        variant="default"
        leftSection={<Puzzle size={16} aria-hidden />}
      >
        Install Extension
      </ButtonLink>
    </div>
  );
}

const refreshIntervalMs = 5 * 60 * 1000;

/** The size of the blacklist and the time of its last update. Undefined while they load. */
function useStats() {
  const { data } = useQuery({
    queryKey: ['stats', 'home'],
    queryFn: ({ signal }): Promise<BlacklistSize> => call(getBlacklistStats, { signal }),
    refetchInterval: refreshIntervalMs,
    staleTime: refreshIntervalMs,
  });
  return data;
}

export function StatsStrip() {
  const stats = useStats();
  return (
    <dl className={styles.strip}>
      <Fact value={stats ? formatAtLeast(stats.total) : '\u2013'} label="domains on the blacklist" />
      <Fact value="Monthly" label="updates" />
      <Fact value="Free" label="forever access" />
    </dl>
  );
}

function Fact({ value, label }: { value: string; label: string }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
