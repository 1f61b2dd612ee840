import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { GatedLink } from '../../accounts/sessions/gated-link.tsx';
import { publicPageTitles } from '../../page-titles.ts';
import { paths } from '../../paths.ts';
import { pageState } from '../../platform/page-state.ts';
import { useTitle } from '../../platform/use-title.ts';
import { ButtonAnchor, ButtonLink } from '../../ui/button.tsx';
import frame from '../../ui/public-page.module.css';
import { NoBreakHyphens } from '../../ui/text.tsx';
import { OperatorName } from './operator-name.tsx';
import page from './page.module.css';
import { Section } from './section.tsx';

export function AboutPage() {
  const title = publicPageTitles[paths.about];
  useTitle(title);
  return (
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>
          <NoBreakHyphens text={title} />
        </h1>
        <p className={frame.lead}>
          Offers to sell backlinks are scattered across marketplaces, forums and price lists. Linksieve collects the
          domains behind them in one searchable list, so that you can check a prospect before you place a link and find
          paid links when you audit a website.
        </p>
        <div className={page.buttons}>
          <ButtonLink to={paths.contact} size="md">
            Submit Links
          </ButtonLink>
          <BookACall />
        </div>
      </div>
      <Section id="maintainers" title="Who runs this site">
        <div className={page.text}>
          <p>
            This site is run by <OperatorName />. Its maintainers import the sources, review submissions and reply to
            messages. Nobody can pay to have a domain listed or removed.
          </p>
          <p>
            Reach us through the <Link to={paths.contact}>contact page</Link>. We reply within 24 hours on business
            days.
          </p>
        </div>
      </Section>
      <Section id="how-it-works" title="How it works">
        <div className={page.text}>
          <ol>
            <li>
              <b>We collect sources.</b> A source is a marketplace, a forum, a public list or a user who submits a
              domain that sells links. The database is updated monthly, and public lists are downloaded more often.
            </li>
            <li>
              <b>We merge duplicates.</b> Every URL is reduced to its domain. A domain that several sources list is one
              entry, and its risk level rises with the number of independent sources.
            </li>
            <li>
              <b>You search or upload.</b> Look up single domains, or upload a backlink export to compare every
              referring domain with the list.
            </li>
            <li>
              <b>You decide.</b> A report shows each harmful link and why its domain is listed. Open the page before you
              decide to keep, remove or disavow a link. The disavow file contains what you decided.
            </li>
            <li>
              <b>We watch.</b> Alerts tell you when a domain that links to you is listed later, or its level changes.
            </li>
          </ol>
        </div>
      </Section>
      <Section id="method" title="Risk levels and limits">
        <div className={page.text}>
          <p>
            One independent source makes a domain low risk, two or three medium, four high, and five or more very high.
            Lists that copy from each other count once. The level says how many sources list the domain, not how good
            its content is. No list is complete, and every list contains mistakes.
          </p>
          <Link to={paths.methodology} className={page.more}>
            Read the methodology
            <ArrowRight size={15} aria-hidden />
          </Link>
        </div>
      </Section>
      <Section id="listing" title="How a domain is listed">
        <div className={page.text}>
          <p>
            An admin imports a file, subscribes to a public list, adds a domain by hand, or approves a submission.
            Anyone with an account can <GatedLink to={paths.submitSites}>submit a site</GatedLink> with evidence, the
            place where links are offered and the price. An admin reviews each submission before the domain is listed.
          </p>
        </div>
      </Section>
      <Section id="removal" title="How a listing is corrected">
        <div className={page.text}>
          <p>
            Domains change owners, and sources are sometimes wrong. If your own domain is listed, check it on the{' '}
            <Link to={paths.home}>home page</Link>, open its page and appeal there. You prove that you control the
            domain, and an admin decides. For another domain, use "Report incorrect information" in its details, or the{' '}
            <Link to={paths.contact}>contact page</Link>. This is free.
          </p>
          <p>
            Existing reports are snapshots and do not change. Upload the export again to compare it with the corrected
            list.
          </p>
        </div>
      </Section>
    </div>
  );
}

/** The link to book a call, if there is one. */
function BookACall() {
  const url = pageState().bookACallUrl;
  if (!url) return null;
  return (
    <ButtonAnchor href={url} target="_blank" rel="noopener" size="md" variant="default">
      Book a Call
    </ButtonAnchor>
  );
}
