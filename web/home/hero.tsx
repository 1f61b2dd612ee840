import { ChartNoAxesColumn, Puzzle, RefreshCw, Search } from 'lucide-react';
import { paths } from '../paths.ts';
import { BySession } from '../session/session.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { DateText } from '../ui/date-text.tsx';
import { DomainCheck } from './domain-check.tsx';
import classes from './hero.module.css';
import { useStats } from './use-stats.ts';

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
