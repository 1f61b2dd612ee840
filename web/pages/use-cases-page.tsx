import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import frame from '../ui/public-page.module.css';
import page from './page.module.css';
import { GatedLink, publicHeads } from './pages.tsx';
import classes from './use-cases-page.module.css';

/** Who uses the product for what, and where each of them begins. */
export function UseCasesPage() {
  const { title } = publicHeads[paths.useCases];
  useTitle(title);
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>{title}</h1>
        <p className={frame.lead}>
          Five jobs that people do with a list of link sellers: three steps each, and the screen where they start.
        </p>
      </div>
      <div className={classes.cards}>
        {useCases.map((useCase) => (
          <UseCaseCard key={useCase.title} {...useCase} />
        ))}
        <div className={classes.last}>
          <h2>Something else in mind?</h2>
          <p>The list of features says what each part does and where its limits are.</p>
          <Link to={paths.features} className={page.more}>
            See all features
            <ArrowRight size={15} aria-hidden />
          </Link>
        </div>
      </div>
    </div>
  );
}

function UseCaseCard({ title, who, text, steps, to, words, read }: UseCase) {
  return (
    <article className={classes.card}>
      <p className={classes.who}>{who}</p>
      <h2>{title}</h2>
      <p>
        {text}
        {read && (
          <>
            {' '}
            Read <Link to={read.to}>{read.words}</Link>.
          </>
        )}
      </p>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <GatedLink to={to} className={page.more}>
        {words}
        <ArrowRight size={15} aria-hidden />
      </GatedLink>
    </article>
  );
}

interface UseCase {
  title: string;
  /** Whose work this is. */
  who: string;
  text: string;
  steps: readonly string[];
  to: typeof paths.dashboard | typeof paths.riskAssessment | typeof paths.account;
  words: string;
  /** What to read before. */
  read?: { to: typeof paths.apiDocs; words: string };
}

const useCases: readonly UseCase[] = [
  {
    title: 'Link-building verification',
    who: 'Link builders, before they pay or pitch',
    text: 'A prospect list from an outreach tool or a marketplace holds sites that sell to everybody. Find them before your money or your name is on them.',
    steps: [
      'Search the domain, or paste the address of the page you were offered.',
      'Read its risk level, the number of sources that name it, and since when.',
      'Skip what several sources name; look at the rest yourself.',
    ],
    to: paths.dashboard,
    words: 'Verify a domain',
  },
  {
    title: 'Disavow file creation',
    who: 'Site owners with a manual action, or a past they inherited',
    text: 'You took over a website and do not know which links were bought. Start from the export that you already have.',
    steps: [
      'Upload the backlink export of any SEO tool or of Search Console.',
      'Go through the harmful links, highest risk first, and strike what is harmless.',
      'Download the disavow file, one domain a line, as Google accepts it.',
    ],
    to: paths.riskAssessment,
    words: 'Create a disavow file',
  },
  {
    title: 'Profile monitoring',
    who: 'Agencies and owners of several websites',
    text: 'One profile for each website keeps its reports in order. Nobody has to search through old spreadsheets to say whether it got better.',
    steps: [
      'Add a website profile for each domain that you look after.',
      'Upload a fresh export every month, when the database is new.',
      'Compare: the change since the last report, and the trend over all of them.',
    ],
    to: paths.account,
    words: 'Open my websites',
  },
  {
    title: 'Competitor analysis',
    who: 'SEO professionals who explain rankings',
    text: 'The backlink export of a competitor reads like your own. See how much of their growth came from sellers before somebody asks you to copy it.',
    steps: [
      "Export the competitor's backlinks from your SEO tool.",
      'Analyze them under a website profile of their domain.',
      'Read the share of harmful domains, and leave those out of your own prospects.',
    ],
    to: paths.riskAssessment,
    words: 'Analyze a competitor',
  },
  {
    title: 'API integration',
    who: 'Developers of crawlers, CRMs and link marketplaces',
    text: 'Ask from your own program while a prospect is entered, a crawl runs or an order comes in.',
    steps: [
      'Create an API key in your account.',
      'Check one domain, or up to 500 in a request, 1000 requests per day.',
      'Act on the answer: listed or not, risk level, number of sources, dates.',
    ],
    to: paths.account,
    words: 'Get an API key',
    read: { to: paths.apiDocs, words: 'the API documentation' },
  },
];
