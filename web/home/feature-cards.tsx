import { Link } from '@tanstack/react-router';
import { ArrowRight, ChartNoAxesColumn, Database, FileDown } from 'lucide-react';
import { GatedLink } from '../pages/pages.tsx';
import { paths } from '../paths.ts';
import classes from './home-page.module.css';

const features = [
  {
    Icon: Database,
    title: 'Domain Database',
    text: 'Search by name, ending, niche, risk level and date, with exact totals. Every domain carries its risk level, the number of sources that name it, and since when.',
    to: paths.domains,
    words: 'Search the database',
  },
  {
    Icon: ChartNoAxesColumn,
    title: 'Backlink Risk Assessment',
    text: 'Upload the export of your SEO tool as it is. The report shows the share of harmful domains, and every harmful link with the reason why.',
    to: paths.riskAssessment,
    words: 'Run Risk Assessment',
  },
  {
    Icon: FileDown,
    title: 'Export & Reporting',
    text: 'Take harmful links with you as CSV or as a disavow file in the form Google accepts. Earlier reports stay, so that you see how the share changes.',
    to: paths.features,
    words: 'See all features',
  },
] as const;

export function FeatureCards() {
  return (
    <section className={classes.section} aria-labelledby="features">
      <h2 id="features" className={classes.heading}>
        What you get
      </h2>
      <div className={classes.cards}>
        {features.map(({ Icon, title, text, to, words }) => (
          <article key={title} className={classes.card}>
            <Icon size={22} strokeWidth={1.75} aria-hidden className={classes.icon} />
            <h3>{title}</h3>
            <p>{text}</p>
            {to === paths.features ? (
              <Link to={to} className={classes.more}>
                {words}
                <ArrowRight size={15} aria-hidden />
              </Link>
            ) : (
              <GatedLink to={to} className={classes.more}>
                {words}
                <ArrowRight size={15} aria-hidden />
              </GatedLink>
            )}
          </article>
        ))}
      </div>
    </section>
  );
}
