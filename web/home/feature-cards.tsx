import { Link } from '@tanstack/react-router';
import { ArrowRight, ChartNoAxesColumn, Database, FileDown, type LucideIcon } from 'lucide-react';
import { paths } from '../paths.ts';
import classes from './home-page.module.css';

interface Feature {
  Icon: LucideIcon;
  title: string;
  text: string;
  link?: { to: typeof paths.domains | typeof paths.riskAssessment; words: string };
}

const features: Feature[] = [
  {
    Icon: Database,
    title: 'Domain Database',
    text: 'Search, filter and sort domains that sell links, each with its risk level and the number of places that list it.',
    link: { to: paths.domains, words: 'Search the database' },
  },
  {
    Icon: ChartNoAxesColumn,
    title: 'Backlink Risk Assessment',
    text: 'Upload the export of your SEO tool as it is. The report shows the share of harmful domains and every harmful link.',
    link: { to: paths.riskAssessment, words: 'Run Risk Assessment' },
  },
  {
    Icon: FileDown,
    title: 'Export & Reporting',
    text: 'Take the harmful links with you as CSV or as a disavow file, and follow how the share changes from report to report.',
  },
];

export function FeatureCards() {
  return (
    <section className={classes.section} aria-labelledby="features">
      <h2 id="features" className={classes.heading}>
        What you get
      </h2>
      <div className={classes.cards}>
        {features.map(({ Icon, title, text, link }) => (
          <article key={title} className={classes.card}>
            <Icon size={22} strokeWidth={1.75} aria-hidden className={classes.icon} />
            <h3>{title}</h3>
            <p>{text}</p>
            {link && (
              <Link to={link.to} className={classes.more}>
                {link.words}
                <ArrowRight size={15} aria-hidden />
              </Link>
            )}
          </article>
        ))}
      </div>
    </section>
  );
}
