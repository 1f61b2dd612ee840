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

function UseCaseCard({ title, audience, text, steps, to, label, read }: UseCase) {
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
      <GatedLink to={to} className={page.more}>
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
      'Check its risk level, the number of sources and the date of the listing.',
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
      'Open the pages that link to you, starting with the highest risk.',
      'Download the disavow file and delete the lines of domains you want to keep.',
    ],
    to: paths.riskAssessment,
    label: 'Create a disavow file',
  },
  {
    title: 'Profile monitoring',
    audience: 'Agencies and owners of several websites',
    text: 'Each website has a profile that keeps its reports together, so you can show whether its backlinks have improved.',
    steps: [
      'Add a profile for each website.',
      'Upload a new export every month, after the database is updated.',
      'Compare the toxicity with the previous report, and follow the trend.',
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
      "Analyze them under a website profile for the competitor's domain.",
      'Check the share of toxic domains, and leave those out of your prospect list.',
    ],
    to: paths.riskAssessment,
    label: 'Analyze a competitor',
  },
  {
    title: 'API integration',
    audience: 'Developers of crawlers, CRMs and outreach tools',
    text: 'Check domains from your own software, such as when a prospect is added or a crawl finds a new link.',
    steps: [
      'Create an API key in your account.',
      'Check one domain, or up to 500 per request. Each key allows 1000 requests per day.',
      'Use the result: listed or not, risk level, number of sources and dates.',
    ],
    to: paths.account,
    label: 'Get an API key',
    read: { to: paths.apiDocs, label: 'API documentation' },
  },
];
