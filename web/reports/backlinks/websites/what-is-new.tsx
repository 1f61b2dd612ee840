import type { ReactNode } from 'react';
import { alertEvents } from '#shared/reports/watch.ts';
import type { Website } from '#shared/reports/websites.ts';
import { paths } from '../../../paths.ts';
import { formatCount } from '../../../platform/format.ts';
import { DateText } from '../../../ui/date-text.tsx';
import { TextLink } from '../../../ui/screen.tsx';
import { describeEvents, findExcessAge } from '../../watch/watch.tsx';
import { formatToxicity } from '../toxicity.tsx';
import styles from './what-is-new.module.css';

/** What waits for the user: unread alerts, domains without a decision, the newest report, and exports that are old. */
export function WhatIsNew({ websites }: { websites: readonly Website[] }) {
  const sum = (toNumber: (website: Website) => number) => websites.reduce((total, one) => total + toNumber(one), 0);
  const unread = Object.fromEntries(alertEvents.map((event) => [event, sum(({ watch }) => watch.unread[event])]));
  const alerts = alertEvents.reduce((total, event) => total + (unread[event] ?? 0), 0);
  const open = sum(({ openReviews }) => openReviews);
  const [most] = websites.toSorted((a, b) => b.openReviews - a.openReviews);
  const [newest] = websites
    .filter(({ lastReport }) => lastReport)
    .toSorted((a, b) => Date.parse(b.lastReport?.dateCreated ?? '') - Date.parse(a.lastReport?.dateCreated ?? ''));
  const isOld = ({ lastReport }: Website) => lastReport !== null && findExcessAge(lastReport.dateCreated) !== undefined;
  const old = websites.filter(isOld).length;
  return (
    <section aria-label="What is new">
      <dl className={styles.facts}>
        <Fact name="New alerts" value={formatCount(alerts)}>
          {alerts > 0 ? (
            <TextLink to={paths.alerts} search={{ unread: 'true' }} inherit>
              {describeEvents({ listed: 0, raised: 0, lowered: 0, delisted: 0, ...unread })}
            </TextLink>
          ) : (
            'No link has turned bad'
          )}
        </Fact>
        <Fact name="Domains to review" value={formatCount(open)}>
          {open > 0 && most?.lastReport ? (
            <TextLink
              to={paths.report}
              params={{ id: String(most.lastReport.id) }}
              search={{ decision: 'undecided' }}
              inherit
            >
              {formatCount(most.openReviews)} in <span data-mono>{most.domain}</span>
            </TextLink>
          ) : (
            'Everything is reviewed'
          )}
        </Fact>
        {newest?.lastReport && (
          <Fact name="Newest report" value={formatToxicity(newest.lastReport)}>
            <TextLink to={paths.report} params={{ id: String(newest.lastReport.id) }} inherit>
              <span data-mono>{newest.domain}</span>, <DateText value={newest.lastReport.dateCreated} />
            </TextLink>
          </Fact>
        )}
        {old > 0 && (
          <Fact name="Old exports" value={formatCount(old)}>
            Upload new ones to keep watching
          </Fact>
        )}
      </dl>
    </section>
  );
}

interface FactProps {
  name: string;
  value: string;
  /** What it consists of, or where it leads. */
  children: ReactNode;
}

function Fact({ name, value, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={styles.value}>{value}</dd>
      <dd className={styles.more}>{children}</dd>
    </div>
  );
}
