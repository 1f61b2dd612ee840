import { Link } from '@tanstack/react-router';
import { riskLevels } from '#shared/blacklist/domains.ts';
import { GatedLink } from '../../accounts/sessions/gated-link.tsx';
import { confidenceLabels, RiskBadge, riskSources } from '../../blacklist/domains/domains.tsx';
import { kindLabels } from '../../blacklist/sources/listings.tsx';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { useTitle } from '../../platform/use-title.ts';
import { DocPage, TextTable } from '../../ui/doc-page.tsx';
import legal from './legal-page.module.css';
import styles from './methodology-page.module.css';

export function MethodologyPage() {
  useTitle(publicPageTitles[paths.methodology]);
  return (
    <DocPage
      head={
        <>
          <h1>Methodology</h1>
          <p className={styles.lead}>
            How domains are listed and rated, how a report is computed, and what the results can and cannot tell you.
          </p>
        </>
      }
      parts={sections}
      className={legal.text}
    >
      {sections.map(({ id, title, body }) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`}>
          <h2 id={`${id}-title`}>{title}</h2>
          {body}
        </section>
      ))}
    </DocPage>
  );
}

const spamPolicies = 'https://developers.google.com/search/docs/essentials/spam-policies#link-spam';
const disavowHelp = 'https://support.google.com/webmasters/answer/2648487';

const kinds = [
  ['inventory', 'The inventory of a seller or a marketplace'],
  ['submission', 'A site that a user submitted and an admin verified'],
  ['manual', 'A domain that an admin added or imported'],
  ['disavow', "A domain in a website owner's disavow file"],
  ['list', 'A domain on a public list of bad sites'],
] as const;

const confidenceEvidence = [
  ['confirmed', "A seller's offer or a verified submission, with a price or a link to the evidence"],
  ['probable', "Two or more independent sources, or a seller's offer or a verified submission without either"],
  ['reported', 'Anything else, such as one public blocklist'],
] as const;

const examples = [
  {
    link: 'https://www.shop.example/post',
    listed: 'shop.example',
    result: 'Match. Only the domain counts.',
  },
  { link: 'blog.shop.example', listed: 'shop.example', result: 'Match. A listed domain covers its subdomains.' },
  {
    link: 'shop.example',
    listed: 'blog.shop.example',
    result: 'No match. A listed subdomain does not cover its parent.',
  },
  { link: 'myshop.example', listed: 'shop.example', result: 'No match. It is a different domain.' },
  {
    link: 'anna.wordpress.com',
    listed: 'ben.wordpress.com',
    result: 'No match. On a shared host, each subdomain has its own owner.',
  },
];

const ratings = [
  ['Low', 'Less than 5%'],
  ['Medium', '5% to less than 10%'],
  ['High', '10% to less than 20%'],
  ['Very high', '20% or more'],
] as const;

const sections = [
  {
    id: 'meaning',
    title: 'What a listing means',
    body: (
      <>
        <p>
          A domain is listed because at least one source lists it as a site that sells backlinks or places harmful ones.
        </p>
        <p>
          <b>A listing is not proof that a particular link was paid for. Check the page before you act.</b> A site that
          sells some links may have placed yours for free. The reverse is true as well: a domain that is not listed may
          still sell links.
        </p>
      </>
    ),
  },
  {
    id: 'sources',
    title: 'Where listings come from',
    body: (
      <>
        <ul>
          <li>
            <b>Feeds.</b> The server downloads public lists regularly, and lists or delists what has changed in them. A
            copy that would remove many domains at once waits until an admin has looked at it.
          </li>
          <li>
            <b>Imports.</b> An admin imports a CSV file, such as the inventory of a link marketplace or a public list.
            Each row has a domain and the source that lists it.
          </li>
          <li>
            <b>Submissions.</b> Users <GatedLink to={paths.submitSites}>submit sites</GatedLink> with evidence, the
            place where links are offered and the price. An admin reviews each one. An approved submission counts as one
            source: that place. The source “community” is shown beside it, but does not count.
          </li>
          <li>
            <b>Manual entries.</b> An admin adds a domain with its sources.
          </li>
        </ul>
        <p>
          If several sources list a domain, they are merged into one entry. The blacklist shows the number of sources.
          Reports also show their names. We do not crawl the listed sites.
        </p>
        <p>
          The details of a domain show each listing: when the source first and last listed it and, if the source
          provides them, the price and a link to the evidence. A listing that its source has withdrawn stays in the
          history.
        </p>
        <p>A listing is only as good as its source, so each source has a kind. Strongest first:</p>
        <table className={styles.levels} aria-label="Kinds of sources">
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">What it is</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map(([kind, meaning]) => (
              <tr key={kind}>
                <th scope="row">{kindLabels[kind]}</th>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </>
    ),
  },
  {
    id: 'independence',
    title: 'When sources are independent',
    body: (
      <p>
        Public lists often copy from each other. Such sources form a family. A family counts once, no matter how many of
        its sources list a domain. The number of independent sources is the number of families plus the number of
        sources without a family. An admin decides which sources form a family.
      </p>
    ),
  },
  {
    id: 'risk-levels',
    title: 'How risk levels are set',
    body: (
      <>
        <p>The level of a domain depends on the number of independent sources that list it:</p>
        <table className={styles.levels} aria-label="Risk levels">
          <thead>
            <tr>
              <th scope="col">Level</th>
              <th scope="col">Independent sources</th>
            </tr>
          </thead>
          <tbody>
            {riskLevels.map((level) => (
              <tr key={level}>
                <th scope="row">
                  <RiskBadge level={level} />
                </th>
                <td>{riskSources[level]}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          Traffic, content and authority metrics do not change the level. An admin or an import file can set a different
          level for a domain. It stays until an admin recomputes all levels from the number of sources.
        </p>
      </>
    ),
  },
  {
    id: 'confidence',
    title: 'What the confidence means',
    body: (
      <>
        <p>The risk level counts the sources. The confidence rates their evidence:</p>
        <table className={styles.levels} aria-label="Confidence">
          <thead>
            <tr>
              <th scope="col">Confidence</th>
              <th scope="col">Evidence</th>
            </tr>
          </thead>
          <tbody>
            {confidenceEvidence.map(([confidence, evidence]) => (
              <tr key={confidence}>
                <th scope="row">{confidenceLabels[confidence]}</th>
                <td>{evidence}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          Read both together. A site with one seller's offer has a low risk but is confirmed. A site on five blocklists
          has a very high risk but is only probable, because no offer is on record.
        </p>
      </>
    ),
  },
  {
    id: 'matching',
    title: 'How domains are matched',
    body: (
      <>
        <p>
          A URL is reduced to its host. The scheme, <code>www.</code>, port and path are removed, letters become
          lowercase, and internationalized names are converted to their ASCII form (Punycode). We look up the hostname
          itself and each parent domain, up to the registrable domain. If several of them are listed, the highest risk
          level decides.
        </p>
        <TextTable
          label="Examples of matching"
          columns={['In your export', 'Listed', 'Result']}
          className={styles.examples}
        >
          {examples.map(({ link, listed, result }) => (
            <tr key={link}>
              <th scope="row">
                <code>{link}</code>
              </th>
              <td>
                <code>{listed}</code>
              </td>
              <td>{result}</td>
            </tr>
          ))}
        </TextTable>
        <p>
          The registrable domain comes from the{' '}
          <a href="https://publicsuffix.org/" rel="noopener">
            Public Suffix List
          </a>
          , including its private section, and from our own list of shared hosts such as medium.com and wordpress.com.
          Public suffixes, shared hosts and IP addresses are never listed.
        </p>
      </>
    ),
  },
  {
    id: 'reports',
    title: 'How a report is computed',
    body: (
      <>
        <p>
          The referring URL or domain of each row is compared with the blacklist. Links from your own website, empty
          rows, and rows without a valid domain are skipped. The report counts them by reason. Links that the export
          marks as lost are left out unless you include them.
        </p>
        <p className={styles.formula}>
          <b>Toxicity</b> = listed referring domains ÷ all referring domains × 100
        </p>
        <p>
          A referring domain is a registrable domain. It counts once, however many links or subdomains it has, and it
          counts as listed if at least one of its hosts in the export is listed. Example: links from 312 referring
          domains, 23 of them listed, give a toxicity of 7.4%, rated medium. With fewer than 20 referring domains, the
          report shows counts, because a percentage would mislead.
        </p>
        <table className={styles.levels} aria-label="Toxicity ratings">
          <thead>
            <tr>
              <th scope="col">Rating</th>
              <th scope="col">Toxicity</th>
            </tr>
          </thead>
          <tbody>
            {ratings.map(([rating, share]) => (
              <tr key={rating}>
                <th scope="row">{rating}</th>
                <td>{share}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          The percentage is our own measure for comparing reports. Search engines do not use it. A report is a snapshot:
          it does not change when the blacklist does. Upload the export again to compare it with the current list.
        </p>
      </>
    ),
  },
  {
    id: 'limits',
    title: 'Known limits',
    body: (
      <ul>
        <li>
          <b>Coverage.</b> We only know what our sources list. Private deals and networks that no source lists are
          missing.
        </li>
        <li>
          <b>False positives.</b> Sources contain mistakes. Public lists sometimes include well-known, legitimate sites.
        </li>
        <li>
          <b>Copied lists.</b> Sources that copy from each other count once only after an admin has noticed it and made
          them a family. Until then, a level can overstate how independent the evidence is.
        </li>
        <li>
          <b>Freshness.</b> The database is updated monthly. The <Link to={paths.home}>home page</Link> shows the date
          of the last change, and each entry shows its own. A listing from a feed ends when its list no longer contains
          the domain. Other listings do not expire: a domain that has changed owners stays listed until an admin
          corrects it.
        </li>
        <li>
          <b>Link attributes.</b> A report does not consider <code>rel="nofollow"</code> or <code>rel="sponsored"</code>
          . A paid link that is marked this way does not violate Google's policy on link spam.
        </li>
      </ul>
    ),
  },
  {
    id: 'disavow',
    title: 'Before you disavow',
    body: (
      <>
        <p>
          Google's{' '}
          <a href={spamPolicies} rel="noopener">
            spam policies
          </a>{' '}
          cover buying and selling links to influence rankings. Google also says that it can usually tell which links to
          trust, so most sites do not need the disavow tool. It{' '}
          <a href={disavowHelp} rel="noopener">
            advises the tool
          </a>{' '}
          only if a considerable number of spammy, artificial or low-quality links point to your site, and they have
          caused a manual action or are likely to. Links that you bought yourself are the typical case.
        </p>
        <p>
          Ask for the link to be removed first. Disavowing links that help your site can harm its rankings, so read
          every line of a disavow file before you upload it.
        </p>
      </>
    ),
  },
  {
    id: 'corrections',
    title: 'Report incorrect information',
    body: (
      <p>
        If a listing of your own site is wrong, check your domain on the <Link to={paths.home}>home page</Link>, open
        its page and appeal there. You prove that you control the domain. An admin then decides and tells you why. If
        another listing is wrong, open the domain in the <GatedLink to={paths.domains}>blacklist</GatedLink> and choose
        "Report incorrect information", or write to us through the <Link to={paths.contact}>contact page</Link>; you do
        not need an account for that. Say what is wrong and how we can verify it. An admin checks the evidence, then
        corrects or deletes the entry. This is free.
      </p>
    ),
  },
];
