import { Link } from '@tanstack/react-router';
import { ArrowRight, Check } from 'lucide-react';
import { GatedLink } from '../../accounts/sessions/gated-link.tsx';
import { BySession } from '../../accounts/sessions/session.tsx';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../platform/use-title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import frame from '../../ui/public-page.module.css';
import styles from './features-page.module.css';
import page from './page.module.css';
import { Section } from './section.tsx';

export function FeaturesPage() {
  const title = publicPageTitles[paths.features];
  useTitle(title);
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>{title}</h1>
        <p className={frame.lead}>
          Linksieve is a database of domains known or suspected to sell backlinks. It finds them among the sites that
          link to you, helps you decide on each one, and watches for new ones. Here is what each part does, with its
          limits.
        </p>
        <div className={`${page.buttons} ${styles.buttons}`}>
          <MainButton />
          <ButtonLink to={paths.useCases} size="md" variant="default">
            See use cases
          </ButtonLink>
        </div>
      </div>
      <Section id="core" title="Core features" aside={<p>Find sellers, judge the evidence, act, and watch.</p>}>
        <FeatureGrid features={coreFeatures} />
      </Section>
      <Section id="advanced" title="Advanced features" aside={<p>For agencies, large exports and your own tools.</p>}>
        <FeatureGrid features={advancedFeatures} />
      </Section>
      <Section id="free-access" title="Free access" aside={<p>One plan with every feature, free for everyone.</p>}>
        <FreeAccess />
      </Section>
      <Section
        id="questions"
        title="Frequently asked questions"
        aside={
          <p>
            Another question? <Link to={paths.contact}>Contact us</Link>.
          </p>
        }
      >
        <div className={page.grid}>
          {featuresFaq.map(({ question, answer, read }) => (
            <div key={question}>
              <h3>{question}</h3>
              <p>
                {answer}
                {read && (
                  <>
                    {' '}
                    <Link to={read.to}>{read.label}</Link>.
                  </>
                )}
              </p>
            </div>
          ))}
        </div>
      </Section>
    </div>
  );
}

function MainButton() {
  return (
    <BySession
      visitor={
        <div className={styles.ways}>
          <ButtonLink to={paths.auth} size="md">
            Sign in with Gmail
          </ButtonLink>
          <small>or use a username and password</small>
        </div>
      }
      user={
        <ButtonLink to={paths.account} size="md">
          Go to Dashboard
        </ButtonLink>
      }
    />
  );
}

function FeatureGrid({ features }: { features: readonly Feature[] }) {
  return (
    <div className={page.grid}>
      {features.map(({ title, text, link, read }) => (
        <div key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
          {link && (
            <GatedLink to={link.to} className={page.more}>
              {link.label}
              <ArrowRight size={15} aria-hidden />
            </GatedLink>
          )}
          {read && (
            <Link to={read.to} className={page.more}>
              {read.label}
              <ArrowRight size={15} aria-hidden />
            </Link>
          )}
        </div>
      ))}
    </div>
  );
}

function FreeAccess() {
  return (
    <div className={styles.card}>
      <div className={styles.plan}>
        <h3>Full Access</h3>
        <p className={styles.price}>
          $0 <span>forever</span>
        </p>
        <MainButton />
      </div>
      <ul className={styles.limits}>
        {fullAccess.map((limit) => (
          <li key={limit}>
            <Check size={16} aria-hidden />
            {limit}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Question {
  question: string;
  answer: string;
  /** A page with more details. */
  read?: {
    to: typeof paths.apiDocs | typeof paths.extension | typeof paths.methodology | typeof paths.termsOfService;
    label: string;
  };
}

/** Also part of the structured data for search engines (web/head.ts). */
export const featuresFaq: readonly Question[] = [
  {
    question: 'What does Linksieve cost?',
    answer: 'Nothing. There is one plan, Full Access. It is free for everyone, and you do not need a credit card.',
  },
  {
    question: 'Which backlink exports can I upload?',
    answer:
      'CSV and text files, Excel workbooks, OpenDocument spreadsheets, and zip or gzip archives: backlinks or referring domains from Ahrefs, Semrush and Majestic, inbound links from Moz, latest links and top linking sites from Google Search Console, exports from Ubersuggest and AgencyAnalytics, and plain lists. One upload has up to 20 files and 200 MB. If it is not clear which column has the links, you choose it.',
  },
  {
    question: 'How is the toxicity percentage calculated?',
    answer:
      'It is the number of listed domains divided by the number of all referring domains in your export. Each domain counts once, however many links it has. The rating is medium from 5%, high from 10%, and very high from 20%.',
    read: { to: paths.methodology, label: 'Read the methodology' },
  },
  {
    question: 'Does a listed domain prove that my link was paid for?',
    answer:
      'No. It means that at least one source lists the domain as a site that sells links or places harmful ones. A site that sells some links may have placed yours for free. Check the page before you act.',
  },
  {
    question: 'Should I disavow every domain in the report?',
    answer:
      'Usually not. Google advises the disavow tool only if a considerable number of spammy, artificial or low-quality links have caused a manual action, or are likely to. Ask for the link to be removed first, and disavow only what remains.',
  },
  {
    question: 'How do I use the disavow file?',
    answer:
      "Decide on the domains of a report, and build the file. If you already have a disavow file, upload it here first: the new file then contains its lines too. Check every line, and upload the file to Google's disavow tool for your property, where it replaces the previous one.",
  },
  {
    question: 'What happens to the file that I upload?',
    answer:
      'It is deleted as soon as the analysis ends. The report keeps the totals and the harmful links, but no links from domains that are not listed. Other users cannot see your reports.',
  },
  {
    question: 'How often is the database updated?',
    answer:
      'Monthly, and whenever a list that the server downloads changes. The home page shows the date of the last change, and each domain shows its own. Your websites are checked against every change.',
  },
  {
    question: 'My domain is listed but does not sell links. What can I do?',
    answer:
      'Check your domain on the home page, open its page and appeal there. You prove that you control the domain, and an admin decides and tells you why. You need a free account. The contact page works without one.',
  },
  {
    question: 'Is there an API?',
    answer:
      'Yes. With an API key you can check single domains, or up to 500 domains per request. Each key allows 1,000 requests per day, and each domain counts as one request. You can have up to 5 keys.',
    read: { to: paths.apiDocs, label: 'Read the API documentation' },
  },
  {
    question: 'What may I do with exported data?',
    answer:
      'Use it for your own work and that of your clients. You may not republish or sell the database or a substantial part of it.',
    read: { to: paths.termsOfService, label: 'Read the terms' },
  },
  {
    question: 'Is there a browser extension?',
    answer:
      'Yes, for Chrome, Edge and Firefox. It shows the risk of the current site, marks listed domains in search results, and checks all links of a page. You do not need an account.',
    read: { to: paths.extension, label: 'See the extension' },
  },
];

interface Feature {
  title: string;
  text: string;
  /** A screen that needs an account. */
  link?: { to: typeof paths.domains | typeof paths.riskAssessment | typeof paths.submitSites; label: string };
  /** A public page. */
  read?: {
    to: typeof paths.apiDocs | typeof paths.check | typeof paths.extension | typeof paths.methodology;
    label: string;
  };
}

const coreFeatures: readonly Feature[] = [
  {
    title: 'Searchable domain database',
    text: 'Search by part of a name or by URL. Filter by TLD, niche, risk level and date, sort the results, and export them as CSV. The page of a domain shows the evidence of every listing.',
    link: { to: paths.domains, label: 'Search the database' },
  },
  {
    title: 'Risk levels by independent sources',
    text: 'One independent source makes a domain low risk, two or three medium, four high, and five or more very high. Lists that copy from each other count once. The confidence rates the evidence.',
    read: { to: paths.methodology, label: 'How we rate domains' },
  },
  {
    title: 'Backlink risk assessment',
    text: 'Upload a backlink export to see how many of the referring domains are listed. The report lists every harmful link with its page, risk level and reason.',
    link: { to: paths.riskAssessment, label: 'Run Risk Assessment' },
  },
  {
    title: 'Review by keyboard',
    text: 'Decide on each listed domain, highest risk first: keep it, have the link removed, or disavow it. One key per decision, with undo. The next report of the website already has your decisions.',
  },
  {
    title: 'CSV and disavow files',
    text: "Build a file for Google's disavow tool from your decisions. It contains the lines of your current file too, and you see every line before you download it. Harmful links can be exported as CSV.",
  },
  {
    title: 'Watch and alerts',
    text: 'The hosts that link to your websites are checked whenever the blacklist changes. Alerts say which ones were listed or have another risk level, on the screen, by email or as a feed.',
  },
];

const advancedFeatures: readonly Feature[] = [
  {
    title: 'Exports from common SEO tools',
    text: 'Ahrefs, Semrush, Majestic, Moz, Google Search Console, Ubersuggest, AgencyAnalytics, other files and plain lists, as CSV, Excel, OpenDocument or zip. The report shows how each file was read, and counts every skipped row by reason.',
  },
  {
    title: 'Large files and many websites',
    text: 'Upload up to 20 exports, 200 MB in total, for one website, or the exports of several websites at once. You see the progress, and an interrupted upload continues.',
  },
  {
    title: 'Reports for every website',
    text: 'Each website keeps its reports, with the change since the previous one and the trend. Share a report by link or as a PDF. A report is a snapshot of the blacklist on the day of the analysis.',
  },
  {
    title: 'Check a list',
    text: 'Paste up to 10,000 domains, or upload a price list, and see which ones are listed and at which known prices. You do not need an account.',
    read: { to: paths.check, label: 'Check a list' },
  },
  {
    title: 'Private checks',
    text: 'The browser extension and the command line check domains by the first digits of their hashes. The server does not learn which domain you look at.',
    read: { to: paths.extension, label: 'See the extension' },
  },
  {
    title: 'API, webhooks and assistants',
    text: 'Check one domain, or up to 500 per request, with an API key. Webhooks tell your software about alerts, and AI assistants can check domains and read your reports.',
    read: { to: paths.apiDocs, label: 'Read the API documentation' },
  },
  {
    title: 'Submit a site',
    text: 'Did someone offer to sell you a link? Send us the domain with your evidence. An admin reviews it before it is listed.',
    link: { to: paths.submitSites, label: 'Submit a site' },
  },
  {
    title: 'Appeals by owners',
    text: "The owner of a listed domain can appeal on its page, and prove that they control it. An admin decides and says why. The owner's statement can be published with the listing.",
    read: { to: paths.methodology, label: 'How listings are corrected' },
  },
];

/** The limits of the plan Full Access. */
const fullAccess: readonly string[] = [
  'Unlimited searches',
  'Unlimited website profiles',
  '1000 API requests per day',
  'Up to 5 API keys',
  'Bulk check of up to 500 domains per request',
  'CSV and disavow exports',
];
