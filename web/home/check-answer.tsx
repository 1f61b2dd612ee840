import { Link } from '@tanstack/react-router';
import type { DomainCheck } from '#shared/checks.ts';
import { RiskBadge } from '../domains/domains.tsx';
import { GatedLink } from '../pages/pages.tsx';
import { paths } from '../paths.ts';
import { DateText } from '../ui/date-text.tsx';
import classes from './domain-check.module.css';

/** What is known of a domain, and what to do about it. */
export function CheckAnswer({ check }: { check: DomainCheck }) {
  if (check.listed) return <Listed check={check} />;
  return check.canBeListed ? <NotListed check={check} /> : <NeverListed check={check} />;
}

/** As people read it; beside it the form that a look-alike name can not have. */
function Name({ check: { domain, unicodeDomain } }: { check: DomainCheck }) {
  return unicodeDomain === null ? (
    <b>{domain}</b>
  ) : (
    <>
      <b>{unicodeDomain}</b> ({domain})
    </>
  );
}

function Listed({ check }: { check: DomainCheck }) {
  const { domain, matchedDomain, riskLevel, sourceCount, niche, dateAdded, lastUpdated } = check;
  return (
    <>
      <p className={classes.verdict}>
        <span>
          <Name check={check} /> is listed
        </span>
        {riskLevel && <RiskBadge level={riskLevel} />}
      </p>
      {matchedDomain !== domain && (
        <p>
          The list names <b>{matchedDomain}</b> with all below it.
        </p>
      )}
      <p>
        Named by {sourceCount === 1 ? '1 source' : `${sourceCount} sources`} since <DateText value={dateAdded} />, last
        updated <DateText value={lastUpdated} />
        {niche && <>, niche: {niche}</>}.
      </p>
      <p>
        Do not buy a link there. If it links to you already,{' '}
        <GatedLink to={paths.riskAssessment}>upload your backlinks</GatedLink> to find every link of this kind. Listed
        by mistake? <Link to={paths.contact}>Tell us</Link>.
      </p>
    </>
  );
}

function NotListed({ check }: { check: DomainCheck }) {
  return (
    <>
      <p className={classes.verdict}>
        <span>
          <Name check={check} /> is not listed
        </span>
      </p>
      <p>
        None of our sources names it. That is no proof of quality: read a few of its articles and see where they link
        before you decide.
      </p>
      <p>
        You know that it sells links? <GatedLink to={paths.submitSites}>Submit it</GatedLink>. Have more to check?{' '}
        <GatedLink to={paths.riskAssessment}>Upload a whole export</GatedLink>.
      </p>
    </>
  );
}

function NeverListed({ check }: { check: DomainCheck }) {
  return (
    <>
      <p className={classes.verdict}>
        <span>
          <Name check={check} /> is never listed as a whole
        </span>
      </p>
      <p>
        It is a public suffix or a shared host: the names below it belong to many different people, and each of them is
        listed, or not, by itself.
      </p>
      <p>Enter the whole name of the site that you mean, such as name.{check.domain}.</p>
    </>
  );
}
