import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { type DomainCheck as CheckResult, checkDomain } from '#shared/checks.ts';
import { RiskBadge } from '../domains/domains.tsx';
import { ApiError, call } from '../lib/api.ts';
import { useSearchShortcut } from '../lib/keys.ts';
import { GatedLink } from '../pages/pages.tsx';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { DateText } from '../ui/date-text.tsx';
import classes from './domain-check.module.css';

const fieldId = 'check-domain';

/** Anybody checks one domain here, signed in or not. What was typed stays, whatever the answer is. */
export function DomainCheck() {
  const [domain, setDomain] = useState(typedBefore);
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useSearchShortcut(field);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (asked: string) => call(checkDomain, { query: { domain: asked } }),
    onError: () => field.current?.focus(),
  });
  const problem = missing ? 'Please enter a domain' : error && sentenceOf(error);
  const answer = problem ? undefined : data;

  const check = (event: FormEvent) => {
    event.preventDefault();
    const asked = domain.trim();
    setMissing(asked === '');
    if (asked === '') return field.current?.focus();
    if (!isPending) mutate(asked);
  };

  return (
    <section className={classes.card} aria-labelledby="check">
      <h2 id="check">Is a domain on the blacklist?</h2>
      <form onSubmit={check} className={classes.form} noValidate>
        <label htmlFor={fieldId}>Domain, or the address of a page</label>
        <div className={classes.row}>
          <input
            ref={field}
            id={fieldId}
            className={classes.input}
            value={domain}
            onChange={(event) => setDomain(event.target.value)}
            placeholder="example.com"
            inputMode="url"
            enterKeyHint="search"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? 'check-problem' : undefined}
          />
          {/* Until the app is there a browser would send the form by itself, to nobody. */}
          <Button type="submit" size="md" loading={isPending} disabled={import.meta.env.SSR}>
            Check
          </Button>
        </div>
        <noscript>
          <p className={classes.problem}>
            Checking a domain needs JavaScript. Please switch it on for this site and load the page again.
          </p>
        </noscript>
      </form>
      <div aria-live="polite">
        {problem && (
          <p id="check-problem" className={classes.problem}>
            {problem}
          </p>
        )}
        {answer && (
          <div className={classes.answer}>
            <CheckAnswer check={answer} />
          </div>
        )}
      </div>
      {!answer && <RiskScale />}
    </section>
  );
}

/** What somebody has typed into the page as it was served, which the app is about to replace. */
function typedBefore(): string {
  if (import.meta.env.SSR) return '';
  const served = document.getElementById(fieldId);
  return served instanceof HTMLInputElement ? served.value : '';
}

function sentenceOf(error: Error): string {
  return (error instanceof ApiError && error.fields.domain) || error.message;
}

/** What is known of a domain, and what to do about it. */
function CheckAnswer({ check }: { check: CheckResult }) {
  if (check.listed) return <Listed check={check} />;
  return check.canBeListed ? <NotListed check={check} /> : <NeverListed check={check} />;
}

/** As people read it; beside it the form that a look-alike name can not have. */
function Name({ check: { domain, unicodeDomain } }: { check: CheckResult }) {
  return unicodeDomain === null ? (
    <b>{domain}</b>
  ) : (
    <>
      <b>{unicodeDomain}</b> ({domain})
    </>
  );
}

function Listed({ check }: { check: CheckResult }) {
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

function NotListed({ check }: { check: CheckResult }) {
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

function NeverListed({ check }: { check: CheckResult }) {
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

const scale = [
  { level: 'low', words: '1 source names it' },
  { level: 'medium', words: '2 or 3 sources' },
  { level: 'high', words: '4 sources' },
  { level: 'very high', words: '5 or more sources' },
] as const;

/** What an answer can say, before somebody has asked. */
function RiskScale() {
  return (
    <dl className={classes.scale}>
      {scale.map(({ level, words }) => (
        <div key={level}>
          <dt>
            <RiskBadge level={level} />
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}
