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
import { GatedLink } from '../../accounts/sessions/gated-link.tsx';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Hero, StatsStrip } from './hero.tsx';
import styles from './home-page.module.css';

export function HomePage() {
  useTitle(publicPageTitles[paths.home]);
  return (
    <div className={styles.page}>
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
    <section className={`${styles.section} ${className}`} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
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
    text: 'Search by name, and filter by TLD, niche, risk level and date. Each entry shows its risk level, the number of sources that list it, and when it was added.',
    to: paths.domains,
    label: 'Search the database',
  },
  {
    Icon: ChartNoAxesColumn,
    title: 'Backlink Risk Assessment',
    text: 'Upload a backlink export straight from your SEO tool. The report shows the share of toxic domains and lists every harmful link with the reason.',
    to: paths.riskAssessment,
    label: 'Run Risk Assessment',
  },
  {
    Icon: FileDown,
    title: 'Export & Reporting',
    text: "Download harmful links as CSV, or toxic domains as a disavow file in Google's format. Earlier reports are kept, so you can see how toxicity changes over time.",
    to: paths.features,
    label: 'See all features',
  },
] as const;

function FeatureCards() {
  return (
    <Section id="features" title="What you get">
      <div className={styles.cards}>
        {features.map(({ Icon, title, text, to, label }) => (
          <article key={title} className={styles.card}>
            <Icon size={22} strokeWidth={1.75} aria-hidden className={styles.icon} />
            <h3>{title}</h3>
            <p>{text}</p>
            {to === paths.features ? (
              <Link to={to} className={styles.more}>
                {label}
                <ArrowRight size={15} aria-hidden />
              </Link>
            ) : (
              <GatedLink to={to} className={styles.more}>
                {label}
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
    text: 'Or register with a username and password. You can search the whole database right away.',
  },
  {
    title: 'Upload the backlink CSV export',
    text: 'From Ahrefs, Semrush, Moz, Majestic, Search Console or another tool. Columns, delimiter and encoding are detected for you.',
  },
  {
    title: 'Get the toxicity report and export harmful links',
    text: 'Each harmful link has a risk level and a reason. Download the links as CSV to review them, or the domains as a disavow file.',
  },
];

function HowItWorks() {
  return (
    <Section id="how-it-works" title="How It Works">
      <ol className={styles.steps}>
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const reasons: { Icon: LucideIcon; title: string; text: string }[] = [
  {
    Icon: Shield,
    title: 'Protect rankings',
    text: "Buying links to rank violates Google's spam policies. Find out which of your links come from known sellers before a manual reviewer does.",
  },
  {
    Icon: Clock,
    title: 'Save time',
    text: 'One upload compares every referring domain with the blacklist, so you review the listed ones instead of opening every page.',
  },
  {
    Icon: TrendingUp,
    title: 'Monitor progress',
    text: 'Reports are kept for each website. Upload a new export next month to see whether the share of toxic domains went down.',
  },
  {
    Icon: Gift,
    title: 'Free access',
    text: 'There is one plan, Full Access. It includes every feature, costs nothing and needs no credit card.',
  },
];

function WhyUse() {
  return (
    <Section id="why-use" title="Why use Linksieve">
      <ul className={styles.reasons}>
        {reasons.map(({ Icon, title, text }) => (
          <li key={title}>
            <Icon size={20} strokeWidth={1.75} aria-hidden className={styles.icon} />
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

/** A wrong disavow file can harm a website, so the page warns before anyone signs up. */
function WhenNotToDisavow() {
  return (
    <Section id="when-not-to-disavow" title="When not to disavow" className={styles.note}>
      <div>
        <p>
          Most websites never need to disavow links. Google says it can usually tell which links to trust, and advises
          the disavow tool only if a considerable number of spammy, artificial or low-quality links point to your site
          and they have caused a manual action, or are likely to.{' '}
          <a href={googleAdvice} rel="noopener">
            Read Google's advice
          </a>
          .
        </p>
        <p>
          A listing is not proof that a particular link was paid for. Check the page before you act, ask for the link to
          be removed, and disavow only what remains. See <Link to={paths.methodology}>how we rate domains</Link>.
        </p>
      </div>
    </Section>
  );
}
