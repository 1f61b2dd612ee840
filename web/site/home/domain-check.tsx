import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { riskLevels } from '#shared/blacklist/domains.ts';
import { checkDomain, type DomainCheck } from '#shared/checks/checks.ts';
import { GatedLink } from '../../accounts/sessions/gated-link.tsx';
import { ConfidenceBadge, RiskBadge, riskSources, SourceCount } from '../../blacklist/domains/domains.tsx';
import { domainCheckPath, paths } from '../../paths.ts';
import { ApiError, call } from '../../platform/api.ts';
import { useSearchShortcut } from '../../platform/keys.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import styles from './domain-check.module.css';

const fieldId = 'check-domain';

/** Checks one domain, with or without an account. The field keeps its text after each check. */
export function DomainCheckCard() {
  const [domain, setDomain] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useSearchShortcut(field);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (text: string) => call(checkDomain, { query: { domain: text } }),
    onError: () => field.current?.focus(),
  });
  const problem = isMissing ? 'Please enter a domain' : error && errorText(error);
  const result = problem ? undefined : data;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = domain.trim();
    setMissing(text === '');
    if (text === '') return field.current?.focus();
    if (!isPending) mutate(text);
  };

  return (
    <section className={styles.card} aria-labelledby="check">
      <h2 id="check">Is a domain on the blacklist?</h2>
      {/* Without scripts, the form opens the page of the domain. */}
      <form onSubmit={submit} action={domainCheckPath} className={styles.form} noValidate>
        <label htmlFor={fieldId}>Domain or page URL</label>
        <div className={styles.row}>
          <input
            ref={field}
            id={fieldId}
            name="domain"
            className={styles.input}
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
          <Button type="submit" size="md" loading={isPending}>
            Check
          </Button>
        </div>
      </form>
      <div aria-live="polite">
        {problem && (
          <p id="check-problem" className={styles.problem}>
            {problem}
          </p>
        )}
        {result && (
          <div className={styles.result}>
            <CheckResult check={result} />
          </div>
        )}
      </div>
      {!result && <RiskScale />}
      <p className={styles.more}>
        <Link to={paths.check}>Check a whole list</Link> of domains, with quoted prices
      </p>
    </section>
  );
}

function errorText(error: Error): string {
  return (error instanceof ApiError && error.fields.domain) || error.message;
}

function CheckResult({ check }: { check: DomainCheck }) {
  if (check.listed) return <Listed check={check} />;
  return check.canBeListed ? <NotListed check={check} /> : <NeverListed check={check} />;
}

/** The domain. An internationalized one is followed by its ASCII form, which exposes look-alike characters. */
function Name({ check: { domain, unicodeDomain } }: { check: DomainCheck }) {
  return unicodeDomain === null ? (
    <b data-mono>{domain}</b>
  ) : (
    <>
      <b>{unicodeDomain}</b> ({domain})
    </>
  );
}

function Listed({ check }: { check: DomainCheck }) {
  const { domain, matchedDomain, riskLevel, confidence, niche, dateAdded, lastUpdated } = check;
  return (
    <>
      <p className={styles.verdict}>
        <strong>Listed</strong>
        <span className={styles.badges}>
          {riskLevel && <RiskBadge level={riskLevel} />}
          <SourceCount {...check} />
          {confidence && <ConfidenceBadge confidence={confidence} />}
        </span>
      </p>
      <p>
        <Name check={check} /> is listed since <DateText value={dateAdded} />, last updated{' '}
        <DateText value={lastUpdated} />.{niche && <> Niche: {niche}.</>}
        {matchedDomain !== domain && (
          <>
            {' '}
            <b data-mono>{matchedDomain}</b> and its subdomains are listed.
          </>
        )}
      </p>
      <p>
        <EvidenceLink domain={domain}>See the evidence</EvidenceLink>
      </p>
      <p>A listing is not proof that a particular link was paid for. Check the page before you act.</p>
    </>
  );
}

function NotListed({ check }: { check: DomainCheck }) {
  if (check.isBlacklistEmpty) return <NothingListed check={check} />;
  return (
    <>
      <p className={styles.verdict}>
        <strong>Not listed</strong>
      </p>
      <p>
        <Name check={check} /> is not listed: none of our sources has it. That does not make it a good site: read a few
        articles and see where they link before you decide.{' '}
        <EvidenceLink domain={check.domain}>See its history</EvidenceLink>.
      </p>
      <p>
        Does it sell links? <GatedLink to={paths.submitSites}>Submit it</GatedLink>. More domains to check?{' '}
        <GatedLink to={paths.riskAssessment}>Upload a backlink export</GatedLink>.
      </p>
    </>
  );
}

/** The result of an installation without domains, which must not reassure. */
function NothingListed({ check }: { check: DomainCheck }) {
  return (
    <>
      <p className={styles.verdict}>
        <span>The blacklist is still empty</span>
      </p>
      <p>
        This installation lists no domains yet, so a check says nothing about <Name check={check} />. Please come back
        when its first lists are loaded.
      </p>
    </>
  );
}

function EvidenceLink({ domain, children }: { domain: string; children: string }) {
  return (
    <Link to={paths.domainPage} params={{ name: domain }} preload={false}>
      {children}
    </Link>
  );
}

function NeverListed({ check }: { check: DomainCheck }) {
  return (
    <>
      <p className={styles.verdict}>
        <span>
          <Name check={check} /> is never listed as a whole
        </span>
      </p>
      <p>
        It is a public suffix or a shared host. The sites under it belong to different owners, so each of them is listed
        separately.
      </p>
      <p>Enter the full name of the site, such as name.{check.domain}.</p>
    </>
  );
}

/** The risk levels, in the place of the result until the first check. */
function RiskScale() {
  return (
    <dl className={styles.scale}>
      {riskLevels.map((level) => (
        <div key={level}>
          <dt>
            <RiskBadge level={level} />
          </dt>
          <dd>{riskSources[level]}</dd>
        </div>
      ))}
    </dl>
  );
}
