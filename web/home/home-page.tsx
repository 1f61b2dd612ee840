import { Link } from '@tanstack/react-router';
import {
  ArrowRight,
  ChartNoAxesColumn,
  Clock,
  Database,
  FileDown,
  Gift,
  type LucideIcon,
  Shield,
  TrendingUp,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { RiskLevel } from '#shared/domains.ts';
import { RiskBadge } from '../domains/domains.tsx';
import { useTitle } from '../lib/use-title.ts';
import { GatedLink, publicHeads } from '../pages/pages.tsx';
import { paths } from '../paths.ts';
import { Hero, StatsStrip } from './hero.tsx';
import classes from './home-page.module.css';

/** What the product is, for people who have not seen it; the way in for those who have. */
export function HomePage() {
  useTitle(publicHeads[paths.home].title);
  return (
    <div className={classes.page}>
      <Hero />
      <StatsStrip />
      <FeatureCards />
      <HowItWorks />
      <WhyUse />
      <WhenNotToDisavow />
    </div>
  );
}

interface SectionProps {
  id: string;
  title: string;
  className?: string | undefined;
  children: ReactNode;
}

function Section({ id, title, className = '', children }: SectionProps) {
  return (
    <section className={`${classes.section} ${className}`} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {title}
      </h2>
      {children}
    </section>
  );
}

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

function FeatureCards() {
  return (
    <Section id="features" title="What you get">
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
    </Section>
  );
}

const steps = [
  {
    title: 'Sign in with Google and search',
    text: 'Or with a username and a password, which takes a minute too. The whole database is open to you at once.',
  },
  {
    title: 'Upload the backlink CSV export',
    text: 'Of Ahrefs, Semrush, Moz, Majestic, Search Console or another tool. Columns, delimiter and encoding are recognised for you.',
  },
  {
    title: 'Get the toxicity report and export harmful links',
    text: 'Each harmful link with its risk level and the reason, as CSV for your own review or as a disavow file.',
  },
];

function HowItWorks() {
  return (
    <Section id="how-it-works" title="How It Works">
      <div className={classes.beside}>
        <ol className={classes.steps}>
          {steps.map(({ title, text }, index) => (
            <li key={title}>
              <span className={classes.number} aria-hidden="true">
                {index + 1}
              </span>
              <div>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ol>
        <SampleReport />
      </div>
    </Section>
  );
}

const rows: { domain: string; level: RiskLevel; sources: number }[] = [
  { domain: 'guestposts.example', level: 'very high', sources: 6 },
  { domain: 'casino-news.example', level: 'high', sources: 4 },
  { domain: 'techblog.example', level: 'medium', sources: 2 },
  { domain: 'homegarden.example', level: 'low', sources: 1 },
];

/** A picture of a report, so that people see what they will get. */
function SampleReport() {
  return (
    <figure className={classes.report} aria-label="A sample toxicity report">
      <div className={classes.head}>
        <div>
          <div className={classes.site}>yoursite.example</div>
          <div className={classes.small}>1,284 backlinks from 312 domains</div>
        </div>
        <div className={classes.score}>
          <strong>7.4%</strong>
          <span className={classes.small}>toxicity</span>
        </div>
      </div>
      <div className={classes.bar} aria-hidden="true">
        <span style={{ width: '7.4%' }} />
      </div>
      <ul className={classes.rows}>
        {rows.map(({ domain, level, sources }) => (
          <li key={domain}>
            <span className={classes.domain}>{domain}</span>
            <span className={classes.small}>{sources === 1 ? '1 source' : `${sources} sources`}</span>
            <RiskBadge level={level} />
          </li>
        ))}
      </ul>
      <figcaption className={classes.caption}>Sample report</figcaption>
    </figure>
  );
}

const reasons: { Icon: LucideIcon; title: string; text: string }[] = [
  {
    Icon: Shield,
    title: 'Protect rankings',
    text: 'Bought links are against the spam policies of search engines. Know which of yours come from sellers before a reviewer tells you.',
  },
  {
    Icon: Clock,
    title: 'Save time',
    text: 'One upload compares every linking domain with the blacklist. Nobody opens ten thousand pages by hand.',
  },
  {
    Icon: TrendingUp,
    title: 'Monitor progress',
    text: 'Reports stay with your website. Upload again next month and see whether the share of harmful domains went down.',
  },
  {
    Icon: Gift,
    title: 'Free access',
    text: 'There is one plan, Full Access, and everybody has it: every feature, no price, no card.',
  },
];

function WhyUse() {
  return (
    <Section id="why-use" title="Why use Linksieve">
      <ul className={classes.reasons}>
        {reasons.map(({ Icon, title, text }) => (
          <li key={title}>
            <Icon size={20} strokeWidth={1.75} aria-hidden className={classes.icon} />
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Google's own page about the disavow tool. */
const googleAdvice = 'https://support.google.com/webmasters/answer/2648487';

/** What the report is not for: said before somebody harms a website with it. */
function WhenNotToDisavow() {
  return (
    <Section id="when-not-to-disavow" title="When not to disavow" className={classes.note}>
      <div>
        <p>
          Most websites never need to. Google says that it can tell in most cases which links to trust without help, and
          that its disavow tool is for two things together: a considerable number of spammy, artificial or low-quality
          links, and a manual action because of them, or one that is likely.{' '}
          <a href={googleAdvice} rel="noopener">
            Read Google's advice
          </a>
          .
        </p>
        <p>
          A listed domain is a reason to look, not a verdict. Lists contain mistakes: open the page, see whether the
          link was bought, ask for its removal first. Disavow what remains.
        </p>
      </div>
    </Section>
  );
}
