import { ChartNoAxesColumn, Puzzle, RefreshCw, Search } from 'lucide-react';
import { useSession } from '../lib/session.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import classes from './hero.module.css';
import { SampleReport } from './sample-report.tsx';

export function Hero() {
  return (
    <section className={classes.hero}>
      <div>
        <span className={classes.badge}>
          <RefreshCw size={13} aria-hidden />
          Updated monthly
        </span>
        <h1 className={classes.title}>Protect Your SEO From Harmful Backlinks</h1>
        <p className={classes.lead}>
          Linksieve is a searchable blacklist of domains known or suspected to sell backlinks. Look a domain up before
          you buy, or upload your backlink export and see which links put your rankings at risk.
        </p>
        <div className={classes.buttons}>
          <Ways />
        </div>
      </div>
      <SampleReport />
    </section>
  );
}

function Ways() {
  const { state } = useSession();
  if (state === 'user') {
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
  return (
    <>
      <ButtonLink to={paths.auth} search={{ tab: 'register' }} size="md">
        Sign Up - It's Free
      </ButtonLink>
      <ButtonLink to={paths.auth} size="md" variant="default" leftSection={<Puzzle size={16} aria-hidden />}>
        Install Extension
      </ButtonLink>
    </>
  );
}
