import { Link, useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { toDomainPage } from '#shared/checks/domain-page-path.ts';
import type { DomainVerdict } from '#shared/checks/domain-pages.ts';
import { GatedLink } from '../../accounts/sessions/gated-link.tsx';
import { useSession } from '../../accounts/sessions/session.tsx';
import { ConfidenceBadge, RiskBadge, SourceCount } from '../../blacklist/domains/domains.tsx';
import { ListingTimeline } from '../../blacklist/sources/listings.tsx';
import { domainCheckPath, paths } from '../../paths.ts';
import { plural } from '../../platform/format.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import frame from '../../ui/public-page.module.css';
import { useServed } from '../../ui/served.ts';
import { PendingMarker } from '../../ui/states.tsx';
import { Breakable } from '../../ui/text.tsx';
import styles from './verdict.module.css';

/** The title of the page: the verdict in a few words. */
export function toTitle(verdict: DomainVerdict): string {
  const [before, after] = describeVerdict(verdict);
  return `${before}${verdict.domain}${after}`;
}

/** The parts of the title before and after the domain. */
function describeVerdict({ listed, isBlacklistEmpty }: DomainVerdict): [before: string, after: string] {
  if (isBlacklistEmpty) return ['No verdict on ', ' yet'];
  return ['', listed ? ' is on the paid-link blacklist' : ' is not on the paid-link blacklist'];
}

/** The description for search results and link previews. */
export function toDescription(verdict: DomainVerdict): string {
  const { domain, listed, riskLevel, independentSourceCount } = verdict;
  if (verdict.isBlacklistEmpty) return `This blacklist is still empty, so it says nothing about ${domain}.`;
  if (!listed) return `No source lists ${domain} as a site that sells backlinks. That is not a recommendation.`;
  const sources = plural(independentSourceCount ?? 0, 'independent source lists', 'independent sources list');
  return `${sources} ${domain} as a site that sells backlinks (risk: ${riskLevel}). See the evidence, what a listing means, and how the owner can appeal.`;
}

/** The content of the page of a domain, rendered on the server and in the browser. */
export function VerdictView({ verdict }: { verdict: DomainVerdict }) {
  const { domain, listings, ownerStatement } = verdict;
  const [before, after] = describeVerdict(verdict);
  return (
    <article className={`${frame.page} ${styles.page}`}>
      <NextCheck />
      <header className={styles.verdict} data-listed={verdict.listed}>
        <h1>
          {before}
          <span data-mono>
            <Breakable>{domain}</Breakable>
          </span>
          {after}
        </h1>
        {verdict.listed ? <ListedFacts verdict={verdict} /> : <NotListedFacts verdict={verdict} />}
      </header>
      {listings.length > 0 && (
        <section aria-labelledby="evidence">
          <h2 id="evidence">{verdict.listed ? 'Evidence' : 'History'}</h2>
          <ListingTimeline listings={listings} />
        </section>
      )}
      {ownerStatement && (
        <section aria-labelledby="statement">
          <h2 id="statement">Owner's statement</h2>
          <blockquote className={styles.statement} dir="auto">
            {ownerStatement}
          </blockquote>
          <p className={styles.note}>
            The author has proven that they control the domain. We have not verified the statement.
          </p>
        </section>
      )}
      <Meaning listed={verdict.listed} />
      <OwnSite verdict={verdict} />
    </article>
  );
}

/** The way back to where the reader came from, and a field for another domain, which works without scripts. */
function NextCheck() {
  const router = useRouter();
  const canGoBack = useServed(false, () => router.history.canGoBack());
  return (
    <div className={styles.next}>
      {canGoBack && (
        <button type="button" className={styles.back} onClick={() => router.history.back()}>
          <ArrowLeft size={14} aria-hidden />
          Back
        </button>
      )}
      <form action={domainCheckPath} className={styles.check}>
        <input
          name="domain"
          aria-label="Check another domain"
          placeholder="Check another domain"
          required
          inputMode="url"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit" size="xs" variant="default">
          Check
        </Button>
      </form>
    </div>
  );
}

function ListedFacts({ verdict }: { verdict: DomainVerdict }) {
  const { domain, matchedDomain, riskLevel, confidence, niche, cost } = verdict;
  return (
    <>
      {matchedDomain && matchedDomain !== domain && (
        <p className={styles.covered}>
          <Link to={paths.domainPage} params={{ name: matchedDomain }} data-mono>
            {matchedDomain}
          </Link>{' '}
          and its subdomains are listed.
        </p>
      )}
      <div className={styles.badges}>
        {riskLevel && <RiskBadge level={riskLevel} />}
        <SourceCount {...verdict} />
        {confidence && <ConfidenceBadge confidence={confidence} />}
      </div>
      <dl className={styles.facts}>
        <Fact label="Listed since">
          <DateText value={verdict.firstListedAt} missing="Unknown" />
        </Fact>
        <Fact label="Last seen">
          <DateText value={verdict.lastSeen} missing="Unknown" />
        </Fact>
        {niche && <Fact label="Niche">{niche}</Fact>}
        {cost && <Fact label="Link price">{cost}</Fact>}
      </dl>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function NotListedFacts({ verdict }: { verdict: DomainVerdict }) {
  if (verdict.isBlacklistEmpty) {
    return (
      <p className={styles.covered}>
        The blacklist of this installation is still empty, so it says nothing about this domain. Please come back when
        its first lists are loaded.
      </p>
    );
  }
  return (
    <p className={styles.covered}>
      {verdict.listings.length > 0
        ? 'It was listed before, but no source lists it now. '
        : 'None of our sources lists it as a site that sells backlinks. '}
      <b>That is not a recommendation:</b> it may still sell links that we do not know of. Read a few articles and see
      where they link before you decide. Does it sell links? <GatedLink to={paths.submitSites}>Submit it</GatedLink>.
    </p>
  );
}

function Meaning({ listed }: { listed: boolean }) {
  return (
    <section aria-labelledby="meaning">
      <h2 id="meaning">What this means</h2>
      {listed && (
        <p>
          <b>A listing is not proof that a particular link was paid for. Check the page before you act.</b> A site that
          sells some links may have placed yours for free.
        </p>
      )}
      {listed && (
        <dl className={styles.terms}>
          <dt>Risk</dt>
          <dd>
            The number of independent sources that list the domain: 1 is low, 2 or 3 medium, 4 high, 5 or more very
            high. Sources that copy from each other count once. An admin can set another level.
          </dd>
          <dt>Confidence</dt>
          <dd>
            <b>Confirmed:</b> a seller's own offer or a verified submission, with a price or a link to the evidence.{' '}
            <b>Probable:</b> an offer or verified submission without a price or link, or two or more independent
            sources. <b>Reported:</b> a single source of another kind.
          </dd>
        </dl>
      )}
      <p>
        Read the <Link to={paths.methodology}>methodology</Link> for the details, or{' '}
        <GatedLink to={paths.riskAssessment}>upload your backlinks</GatedLink> to find all listed domains that link to
        you.
      </p>
    </section>
  );
}

const OwnerAppeals = lazyPart(async () => {
  const [, appeals] = await Promise.all([
    import('../../ui/more-styles.ts'),
    import('../../blacklist/appeals/appeals.tsx'),
  ]);
  return appeals;
}, 'OwnerAppeals');

/** How the owner can appeal, and the owner's appeals. Signed-in users appeal here. */
function OwnSite({ verdict: { domain, listed, isBlacklistEmpty } }: { verdict: DomainVerdict }) {
  const { state } = useSession();
  return (
    <section aria-labelledby="own-site" className={styles.own}>
      <h2 id="own-site">Is this your site?</h2>
      {listed ? (
        <p>
          You can appeal for free. Say what is wrong, then prove that you control the domain with a DNS record or a
          file. An admin reviews your appeal and tells you the decision and the reason.
        </p>
      ) : (
        <p>{isBlacklistEmpty ? 'No domain is listed yet.' : 'There is nothing to do: the domain is not listed.'}</p>
      )}
      {state === 'user' ? (
        <Suspense fallback={<PendingMarker />}>
          <OwnerAppeals domain={domain} canAppeal={listed} />
        </Suspense>
      ) : (
        listed && (
          <div>
            <p>
              <SignInLink domain={domain}>Sign in to appeal</SignInLink>
            </p>
            <noscript>
              <p className={styles.note}>Appeals require JavaScript. Enable it for this site and reload the page.</p>
            </noscript>
          </div>
        )
      )}
      <p>
        Is something else wrong? <Link to={paths.contact}>Report incorrect information</Link>. You do not need an
        account.
      </p>
    </section>
  );
}

/** Leads to the sign-in page, and back to the page of the domain. */
function SignInLink({ domain, children }: { domain: string; children: ReactNode }) {
  return (
    <Link to={paths.auth} search={{ next: toDomainPage(domain) }} className={styles.signIn}>
      {children}
    </Link>
  );
}

/** Shown instead of the facts after too many checks. */
export function LimitReached({ domain, message }: { domain: string; message: string }) {
  return (
    <div className={`${frame.page} ${styles.page}`}>
      <h1>
        <Breakable>{domain}</Breakable>
      </h1>
      <p>{message}</p>
      <p>
        <SignInLink domain={domain}>Sign In</SignInLink>
      </p>
    </div>
  );
}
