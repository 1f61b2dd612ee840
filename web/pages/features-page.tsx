import { Link } from '@tanstack/react-router';
import { ArrowRight, Check } from 'lucide-react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { BySession } from '../session/session.tsx';
import { ButtonLink } from '../ui/button.tsx';
import frame from '../ui/public-page.module.css';
import classes from './features-page.module.css';
import page from './page.module.css';
import { GatedLink, publicHeads } from './pages.tsx';
import { Section } from './section.tsx';

/** Everything that the product does, its limits, and answers to what people ask first. */
export function FeaturesPage() {
  const { title } = publicHeads[paths.features];
  useTitle(title);
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>{title}</h1>
        <p className={frame.lead}>
          A database of domains known or suspected to sell backlinks, and a report that finds them among your own links.
          What each part does, and where it ends.
        </p>
        <div className={`${page.buttons} ${classes.buttons}`}>
          <MainButton />
          <ButtonLink to={paths.useCases} size="md" variant="default">
            See use cases
          </ButtonLink>
        </div>
      </div>
      <Section id="core" title="Core features" aside={<p>What most people come for.</p>}>
        <FeatureGrid features={coreFeatures} />
      </Section>
      <Section id="advanced" title="Advanced features" aside={<p>What large files, agencies and programs need.</p>}>
        <FeatureGrid features={advancedFeatures} />
      </Section>
      <Section id="free-access" title="Free access" aside={<p>One plan for everybody, with nothing held back.</p>}>
        <FreeAccess />
      </Section>
      <Section
        id="questions"
        title="Frequently asked questions"
        aside={
          <p>
            Not here? <Link to={paths.contact}>Ask us</Link>.
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
                    <Link to={read.to}>{read.words}</Link>.
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
        <div className={classes.ways}>
          <ButtonLink to={paths.auth} size="md">
            Sign in with Gmail
          </ButtonLink>
          <small>or with a username and a password</small>
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
              {link.words}
              <ArrowRight size={15} aria-hidden />
            </GatedLink>
          )}
          {read && (
            <Link to={read.to} className={page.more}>
              {read.words}
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
    <div className={classes.card}>
      <div className={classes.plan}>
        <h3>Full Access</h3>
        <p className={classes.price}>
          $0 <span>forever</span>
        </p>
        <MainButton />
      </div>
      <ul className={classes.limits}>
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
  /** Where more of it stands. */
  read?: { to: typeof paths.apiDocs; words: string };
}

/** Also told to search engines (web/head.ts). */
export const featuresFaq: readonly Question[] = [
  {
    question: 'What does Linksieve cost?',
    answer:
      'Nothing. There is one plan, Full Access, its price is 0, and everybody with an account has it. No card is asked for.',
  },
  {
    question: 'Which backlink exports can I upload?',
    answer:
      'CSV, TSV and text files up to 200 MB: backlinks or referring domains of Ahrefs, Semrush and Majestic, inbound links of Moz, latest links and top linking sites of Google Search Console, exports of Ubersuggest and AgencyAnalytics, and plain lists of addresses. Where a header is unknown, the column with the links is found by its content, and the report says which one it was.',
  },
  {
    question: 'How is the toxicity percentage calculated?',
    answer:
      'It is the share of linking domains that are on the blacklist: harmful domains divided by all domains in your export, counted once each however many links they hold. From 5 percent the rating is medium, from 10 percent high, from 20 percent very high.',
  },
  {
    question: 'Does a listed domain prove that my link was paid for?',
    answer:
      'No. It says that one or more sources name the domain as a seller of links. A site that sells some links gives others away. Open the page that links to you before you decide.',
  },
  {
    question: 'Should I disavow every domain in the report?',
    answer:
      "Usually not. Google advises the disavow tool only where a considerable number of artificial links has caused a manual action or is likely to. Ask for a link's removal first, and disavow what remains.",
  },
  {
    question: 'How do I use the disavow file?',
    answer:
      "Download it from a report, read it line by line, and upload it to Google's disavow tool for your property. An upload there replaces the list that you sent before, so add the lines of your earlier file first.",
  },
  {
    question: 'What happens to the file that I upload?',
    answer:
      'It is deleted as soon as the analysis ends. The report keeps the totals and the harmful links; links from domains that are not listed are not kept. Other users never see your reports.',
  },
  {
    question: 'How often is the database updated?',
    answer: 'Monthly. The home page shows the day of the last change, and each domain its own.',
  },
  {
    question: 'My domain is listed and does not sell links. What can I do?',
    answer:
      "Write to us through the contact page, or use 'Report incorrect information' in the details of the domain. A person looks at the evidence, and corrects or removes the entry.",
  },
  {
    question: 'Is there an API?',
    answer:
      'Yes. An API key checks single domains and lists of up to 500 domains per request, 1000 requests per day, with up to 5 keys per account. In a list each domain counts as one request.',
    read: { to: paths.apiDocs, words: 'Read how it works' },
  },
];

interface Feature {
  title: string;
  text: string;
  link?: { to: typeof paths.domains | typeof paths.riskAssessment | typeof paths.submitSites; words: string };
  /** A page for anybody, instead. */
  read?: { to: typeof paths.apiDocs; words: string };
}

const coreFeatures: readonly Feature[] = [
  {
    title: 'A searchable blacklist',
    text: 'Type part of a name or paste the address of a page. Filter by ending, niche, risk level and the date a domain was added, sort by name, risk, date, domain rating or price. Totals are exact, and the address bar keeps the filter: send it to a colleague.',
    link: { to: paths.domains, words: 'Search the database' },
  },
  {
    title: 'Risk levels with a rule',
    text: 'A domain that one source names is low risk, two or three make it medium, four high, five or more very high. You see the number of sources and since when the domain is listed.',
  },
  {
    title: 'Backlink risk assessment',
    text: 'Upload your backlink export and get a report: how many of the linking domains are listed, every harmful link with its page, its risk level and the reason.',
    link: { to: paths.riskAssessment, words: 'Run Risk Assessment' },
  },
  {
    title: 'Exports as your tool wrote them',
    text: 'Ahrefs, Semrush, Majestic, Moz, Google Search Console, Ubersuggest, AgencyAnalytics, generic CSV and plain lists. Delimiter, encoding, quotes and the lines before the header are recognised; the report says what the file was taken for.',
  },
  {
    title: 'CSV and disavow files',
    text: "Harmful links as CSV for your own review, harmful domains as a text file for Google's disavow tool: one domain a line, lower case, each once.",
  },
  {
    title: 'Every website you look after',
    text: 'A website profile keeps all reports of one website, newest first, with the change since the one before and the trend over time. There is no limit to the number of profiles.',
  },
];

const advancedFeatures: readonly Feature[] = [
  {
    title: 'Large files',
    text: 'Exports up to 200 MB are read as a stream. You see the progress, may close the page meanwhile and come back, or cancel.',
  },
  {
    title: 'No row vanishes',
    text: 'Rows that cannot be used are counted by reason: empty, not a domain, your own website, malformed. The first lines of each reason are named.',
  },
  {
    title: 'Subdomains count',
    text: 'A listed domain covers everything below it. On shared hosts, where each subdomain belongs to somebody else, only the listed subdomain is meant.',
  },
  {
    title: 'Reports keep their truth',
    text: 'A report shows what the blacklist said on the day it was made. Upload again to compare with the database of today.',
  },
  {
    title: 'API for your own tools',
    text: 'Check one domain or up to 500 at once with an API key. Keys are made and deleted in your account, each with its own count of requests.',
    read: { to: paths.apiDocs, words: 'Read the API documentation' },
  },
  {
    title: 'Submit what you find',
    text: 'You were offered a link for money? Send the domain with your evidence. It is reviewed before it enters the blacklist.',
    link: { to: paths.submitSites, words: 'Submit a site' },
  },
];

/** What Full Access allows: everybody has it. */
const fullAccess: readonly string[] = [
  'Unlimited searches',
  'Unlimited website profiles',
  '1000 API requests per day',
  'Up to 5 API keys',
  'Bulk check of up to 500 domains per request',
  'CSV and disavow exports',
];
