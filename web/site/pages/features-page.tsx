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
          Linksieve is a database of domains known or suspected to sell backlinks, and a report that finds them among
          the sites that link to you. Here is what each part does, with its limits.
        </p>
        <div className={`${page.buttons} ${styles.buttons}`}>
          <MainButton />
          <ButtonLink to={paths.useCases} size="md" variant="default">
            See use cases
          </ButtonLink>
        </div>
      </div>
      <Section id="core" title="Core features" aside={<p>Look up domains and check your backlinks.</p>}>
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
      "Download it from a report, check every line, and upload it to Google's disavow tool for your property. The upload replaces your previous file, so add the lines of that file first.",
  },
  {
    question: 'What happens to the file that I upload?',
    answer:
      'It is deleted as soon as the analysis ends. The report keeps the totals and the harmful links, but no links from domains that are not listed. Other users cannot see your reports.',
  },
  {
    question: 'How often is the database updated?',
    answer: 'Monthly. The home page shows the date of the last change, and each domain shows its own.',
  },
  {
    question: 'My domain is listed but does not sell links. What can I do?',
    answer:
      'Write to us through the contact page, or use "Report incorrect information" in the details of the domain. An admin checks the evidence, then corrects or deletes the entry. This is free.',
  },
  {
    question: 'Is there an API?',
    answer:
      'Yes. With an API key you can check single domains, or up to 500 domains per request. Each key allows 1000 requests per day, and each domain counts as one request. You can have up to 5 keys.',
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
  read?: { to: typeof paths.apiDocs | typeof paths.methodology; label: string };
}

const coreFeatures: readonly Feature[] = [
  {
    title: 'Searchable domain database',
    text: 'Search by part of a name or by URL. Filter by TLD, niche, risk level and date, sort the results, and export them as CSV.',
    link: { to: paths.domains, label: 'Search the database' },
  },
  {
    title: 'Risk levels by number of sources',
    text: 'One source makes a domain low risk, two or three medium, four high, and five or more very high. Each entry shows the number of sources and when the domain was listed.',
    read: { to: paths.methodology, label: 'How we rate domains' },
  },
  {
    title: 'Backlink risk assessment',
    text: 'Upload a backlink export to see how many of the referring domains are listed. The report lists every harmful link with its page, risk level and reason.',
    link: { to: paths.riskAssessment, label: 'Run Risk Assessment' },
  },
  {
    title: 'Exports from common SEO tools',
    text: 'Ahrefs, Semrush, Majestic, Moz, Google Search Console, Ubersuggest, AgencyAnalytics, other files and plain lists, as CSV, Excel, OpenDocument or zip. Delimiter, encoding and header are detected, and the report shows how each file was read.',
  },
  {
    title: 'CSV and disavow files',
    text: "Download harmful links as CSV, or toxic domains as a text file for Google's disavow tool: one domain per line, without duplicates. You choose the risk levels and the domains.",
  },
  {
    title: 'Reports for every website',
    text: 'A website profile keeps all reports of a website, with the change since the previous report and the trend over time. You can add as many websites as you like.',
  },
];

const advancedFeatures: readonly Feature[] = [
  {
    title: 'Large files',
    text: 'Upload up to 20 exports, 200 MB in total. A link in two of them counts once. You see the progress, and you can cancel the analysis, or close the page and come back later.',
  },
  {
    title: 'Every skipped row is explained',
    text: 'Rows that cannot be used are counted by reason: empty, an IP address, an unknown top-level domain, not an address, your own website, or malformed. The first line numbers of each reason are shown.',
  },
  {
    title: 'Subdomains are matched',
    text: 'A listed domain covers its subdomains. On shared hosts, where each subdomain has its own owner, only the listed subdomain matches.',
  },
  {
    title: 'Reports are snapshots',
    text: 'A report shows the blacklist as it was on the day of the analysis. Upload the export again to compare it with the current list.',
  },
  {
    title: 'API for your own tools',
    text: 'Check one domain, or up to 500 per request, with an API key. You create and delete keys in your account, and each key shows its own usage.',
    read: { to: paths.apiDocs, label: 'Read the API documentation' },
  },
  {
    title: 'Submit a site',
    text: 'Did someone offer to sell you a link? Send us the domain with your evidence. An admin reviews it before it is listed.',
    link: { to: paths.submitSites, label: 'Submit a site' },
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
