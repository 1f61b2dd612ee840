import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { GatedLink } from '../../accounts/sessions/gated-link.tsx';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../platform/use-title.ts';
import frame from '../../ui/public-page.module.css';
import page from './page.module.css';
import styles from './use-cases-page.module.css';

export function UseCasesPage() {
  const title = publicPageTitles[paths.useCases];
  useTitle(title);
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>{title}</h1>
        <p className={frame.lead}>Five ways to use a list of link sellers, each in three steps.</p>
      </div>
      <div className={styles.cards}>
        {useCases.map((useCase) => (
          <UseCaseCard key={useCase.title} {...useCase} />
        ))}
        <div className={styles.last}>
          <h2>Something else in mind?</h2>
          <p>The features page lists everything Linksieve does, with its limits.</p>
          <Link to={paths.features} className={page.more}>
            See all features
            <ArrowRight size={15} aria-hidden />
          </Link>
        </div>
      </div>
    </div>
  );
}

function UseCaseCard({ title, audience, text, steps, to, tab, label, read }: UseCase) {
  return (
    <article className={styles.card}>
      <p className={styles.audience}>{audience}</p>
      <h2>{title}</h2>
      <p>
        {text}
        {read && (
          <>
            {' '}
            Read the <Link to={read.to}>{read.label}</Link>.
          </>
        )}
      </p>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <GatedLink to={to} tab={tab} className={page.more}>
        {label}
        <ArrowRight size={15} aria-hidden />
      </GatedLink>
    </article>
  );
}

interface UseCase {
  title: string;
  audience: string;
  text: string;
  steps: readonly string[];
  to: typeof paths.dashboard | typeof paths.riskAssessment | typeof paths.account;
  tab?: 'api-keys';
  label: string;
  /** A page with more details. */
  read?: { to: typeof paths.apiDocs; label: string };
}

const useCases: readonly UseCase[] = [
  {
    title: 'Link-building verification',
    audience: 'Link builders, before they pay or pitch',
    text: 'Prospect lists from outreach tools and marketplaces include sites that sell links to anyone. Check them first.',
    steps: [
      'Search for the domain, or paste the URL of the page you were offered.',
      'Check its risk level, its independent sources and their evidence, such as a known price.',
      'Leave out domains that several sources list, and review the rest yourself.',
    ],
    to: paths.dashboard,
    label: 'Verify a domain',
  },
  {
    title: 'Disavow file creation',
    audience: 'Site owners with a manual action or inherited links',
    text: 'You took over a website and do not know which links were bought. Start from an export that you already have.',
    steps: [
      'Upload a backlink export from your SEO tool or from Search Console.',
      'Decide on each listed domain, highest risk first: keep, remove or disavow.',
      'Build the disavow file. It contains only what you decided, and the lines of the file that you already have.',
    ],
    to: paths.riskAssessment,
    label: 'Create a disavow file',
  },
  {
    title: 'Profile monitoring',
    audience: 'Agencies and owners of several websites',
    text: 'The hosts that link to your websites are checked whenever the blacklist changes, and reports show whether backlinks have improved.',
    steps: [
      'Upload the exports of all your websites at once.',
      'Read the alerts about domains that were listed or changed their level, on the screen or by email.',
      'Decide on them, and upload a newer export every few months to follow the trend.',
    ],
    to: paths.account,
    label: 'Open my websites',
  },
  {
    title: 'Competitor analysis',
    audience: 'SEO professionals who research rankings',
    text: "You can analyze a competitor's backlinks like your own. See how many of the referring domains are known sellers before you copy their strategy.",
    steps: [
      "Export the competitor's backlinks from your SEO tool.",
      "Analyze them as a website with the competitor's domain.",
      'Check the share of toxic domains, and leave those out of your prospect list.',
    ],
    to: paths.riskAssessment,
    label: 'Analyze a competitor',
  },
  {
    title: 'API integration',
    audience: 'Developers of crawlers, CRMs and outreach tools',
    text: 'Check domains from your own software, such as when a prospect is added or a crawl finds a new link, and get webhooks about alerts.',
    steps: [
      'Create an API key in your account.',
      'Check one domain, or up to 500 per request. Each key allows 1,000 requests per day.',
      'Use the result: listed or not, risk level, confidence, independent sources and dates.',
    ],
    to: paths.account,
    tab: 'api-keys',
    label: 'Get an API key',
    read: { to: paths.apiDocs, label: 'API documentation' },
  },
];
