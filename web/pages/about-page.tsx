import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { RiskBadge } from '../domains/domains.tsx';
import { pageState } from '../lib/page-state.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { ButtonAnchor, ButtonLink } from '../ui/button.tsx';
import frame from '../ui/public-page.module.css';
import { NoBreakHyphens } from '../ui/text.tsx';
import classes from './about-page.module.css';
import page from './page.module.css';
import { publicHeads } from './pages.tsx';
import { Section } from './section.tsx';

/** What the project is, how the list is made, and how a domain gets off it. */
export function AboutPage() {
  const { title } = publicHeads[paths.about];
  useTitle(title);
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>
          <NoBreakHyphens text={title} />
        </h1>
        <p className={frame.lead}>
          Linksieve keeps one list well: domains known or suspected to sell backlinks. It exists because such offers are
          sold in many places and written down in none that you can search.
        </p>
        <div className={page.buttons}>
          <ButtonLink to={paths.contact} size="md">
            Submit Links
          </ButtonLink>
          <BookACall />
        </div>
      </div>
      <Section id="maintainers" title="Who is behind it">
        <div className={page.text}>
          <p>
            Linksieve is a project of its maintainers: the people who run this site, collect the sources, review
            submissions and answer messages. No place on the list is for sale, and no way off it.
          </p>
          <p>
            They are reached through the <Link to={paths.contact}>contact page</Link>, with an answer within 24 hours on
            business days.
          </p>
        </div>
      </Section>
      <Section id="how-it-works" title="How it works">
        <ol className={`${page.text} ${classes.steps}`}>
          <li>
            <b>Sources are collected.</b> A source is a marketplace, a forum, a list or a person that names a domain as
            a seller of links. The database is brought up to date monthly.
          </li>
          <li>
            <b>Names become one.</b> Addresses are reduced to their host: no www, no path, one spelling. What several
            sources name is one entry with several sources.
          </li>
          <li>
            <b>You search it,</b> or upload a backlink export. Every linking domain is compared with the list; a listed
            domain covers the subdomains below it.
          </li>
          <li>
            <b>You decide.</b> The report shows each harmful link and why it is there. What to remove, to disavow or to
            leave is for somebody who has looked at the page.
          </li>
        </ol>
      </Section>
      <Section id="risk-levels" title="What the risk levels mean">
        <div className={page.text}>
          <p>The level says how many sources name a domain, nothing else: not how good its articles are.</p>
          <table className={classes.levels}>
            <thead>
              <tr>
                <th scope="col">Level</th>
                <th scope="col">Sources</th>
              </tr>
            </thead>
            <tbody>
              {levels.map(({ level, sources }) => (
                <tr key={level}>
                  <td>
                    <RiskBadge level={level} />
                  </td>
                  <td>{sources}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p>A maintainer who has looked at a domain may set another level by hand.</p>
        </div>
      </Section>
      <Section id="listing" title="How a domain gets listed">
        <div className={page.text}>
          <p>
            Through a source that the maintainers import, or through a submission: any signed-in person can{' '}
            <Link to={paths.submitSites}>submit a site</Link> with evidence, its source and the price that was asked. A
            maintainer reviews each submission and approves or rejects it.
          </p>
          <p>Public suffixes such as co.uk, the roots of shared hosts and IP addresses are never listed.</p>
        </div>
      </Section>
      <Section id="removal" title="How a domain gets off the list">
        <div className={page.text}>
          <p>
            Lists contain mistakes, and domains change hands. Write through the{' '}
            <Link to={paths.contact}>contact page</Link>, or use 'Report incorrect information' in the details of the
            domain. Say what is wrong and what shows it. A maintainer compares it with the evidence, then corrects or
            deletes the entry. It costs nothing.
          </p>
          <p>Reports made before keep what was true on their day; a new upload shows the corrected list.</p>
        </div>
      </Section>
      <Section id="limits" title="What it does not say">
        <div className={page.text}>
          <p>
            A domain that is not listed may still sell links: no list is complete. A listed one may hold honest links
            beside the sold ones. And the toxicity percentage is an aid for sorting; search engines do not use it.
          </p>
        </div>
      </Section>
    </div>
  );
}

const levels = [
  { level: 'low', sources: '1' },
  { level: 'medium', sources: '2 or 3' },
  { level: 'high', sources: '4' },
  { level: 'very high', sources: '5 or more' },
] as const;

/** The way to a call with the maintainers, where they offer one. The page is made before anybody knows whether they do. */
function BookACall() {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => setUrl(pageState().bookACallUrl), []);
  if (!url) return null;
  return (
    <ButtonAnchor href={url} target="_blank" rel="noopener" size="md" variant="default">
      Book a Call
    </ButtonAnchor>
  );
}
