import { Anchor, Title } from '@mantine/core';
import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AdminSubmission, SubmissionStatus } from '#shared/blacklist/submissions.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { NewTabIcon } from '../../ui/external-link.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { Breakable } from '../../ui/text.tsx';
import { RiskBadge } from '../domains/domains.tsx';
import { countSources } from '../sources/listings.tsx';
import styles from './submission-card.module.css';
import { splitAtUrls } from './urls.ts';
import { StatusBadge, statusNames } from './widgets.tsx';

interface SubmissionCardProps {
  submission: AdminSubmission;
  /** The new status of a recently decided submission, while its card keeps its place. */
  outcome: SubmissionStatus | undefined;
  /** Whether a decision is being sent. */
  isBusy: boolean;
  /** Why the approval failed. */
  error: Error | null;
  onApprove(): void;
  onReject(): void;
}

/** A submitted site with all its details. Pending sites have Approve and Reject buttons. */
export function SubmissionCard({ submission, outcome, isBusy, error, onApprove, onReject }: SubmissionCardProps) {
  const { id, domain, status, evidence, additionalNotes, submitterEmail, dateDecided, decidedBy, reason } = submission;
  return (
    <li className={styles.card} data-submission={id} data-outcome={outcome}>
      <div className={styles.top}>
        <Title order={2} size="h3" className={styles.name}>
          <OutsideLink href={`https://${domain}/`}>
            <span data-mono>
              <Breakable>{domain}</Breakable>
            </span>
          </OutsideLink>
        </Title>
        <StatusBadge status={outcome ?? status} />
      </div>
      <p className={styles.sent}>
        Submitted <DateText value={submission.dateSubmitted} /> by{' '}
        <span className={styles.submitter}>
          {submitterEmail ? <Breakable>{submitterEmail}</Breakable> : 'a deleted account'}
        </span>
      </p>
      <ListingHint domain={domain} status={status} listing={submission.listing} />
      {status === 'pending' && <ApprovalHint preview={submission.preview} />}
      <dl className={styles.facts}>
        <Fact label="Source">{submission.source}</Fact>
        <Fact label="Link Cost">{submission.cost}</Fact>
        <Fact label="Niche">{submission.niche}</Fact>
        <Fact label="Domain Rating">{submission.domainRating || 'N/A'}</Fact>
        <Fact label="Evidence" wide>
          <WithLinks text={evidence} />
        </Fact>
        {additionalNotes && (
          <Fact label="Notes" wide>
            <WithLinks text={additionalNotes} />
          </Fact>
        )}
        {dateDecided && (
          <Fact label={status === 'approved' ? 'Approved' : 'Rejected'} wide>
            <DateText value={dateDecided} />
            {decidedBy && ` by ${decidedBy}`}
            {reason && <span className={styles.reason}>{reason}</span>}
          </Fact>
        )}
      </dl>
      {outcome && <p className={styles.outcome}>{statusNames[outcome]}</p>}
      {status === 'pending' && !outcome && (
        <div className={styles.actions}>
          <Button
            data-decide="approve"
            aria-label={`Approve ${domain}`}
            aria-keyshortcuts="a"
            leftSection={<Check size={15} aria-hidden />}
            disabled={isBusy}
            onClick={onApprove}
          >
            Approve
          </Button>
          <Button
            data-decide="reject"
            aria-label={`Reject ${domain}`}
            aria-keyshortcuts="r"
            variant="default"
            leftSection={<X size={15} aria-hidden />}
            disabled={isBusy}
            onClick={onReject}
          >
            Reject
          </Button>
        </div>
      )}
      {status === 'pending' && !outcome && <FormError error={error} />}
    </li>
  );
}

function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={styles.fact} data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

function WithLinks({ text }: { text: string }) {
  return splitAtUrls(text).map((part, index) =>
    part.isUrl ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are never reordered
      <OutsideLink key={index} href={part.text} inText>
        {part.text}
      </OutsideLink>
    ) : (
      part.text
    ),
  );
}

/** The current blacklist entry of the submitted site. */
function ListingHint({ domain, status, listing }: Pick<AdminSubmission, 'domain' | 'status' | 'listing'>) {
  if (!listing) {
    return status === 'rejected' ? null : (
      <p className={styles.hint}>
        {status === 'pending' ? 'Not on the blacklist yet.' : 'No longer on the blacklist.'}
      </p>
    );
  }
  return (
    <p className={styles.hint}>
      <span>
        {status === 'approved' ? 'Listed' : 'Already listed'}
        {listing.domain !== domain && ` as part of ${listing.domain}`} by {countSources(listing)}
      </span>
      <RiskBadge level={listing.riskLevel} />
      <TextLink
        to={paths.domains}
        search={{ domain: listing.id }}
        inherit
        aria-label={`View entry of ${listing.domain}`}
      >
        View entry
      </TextLink>
    </p>
  );
}

const maxNames = 6;
const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** A preview of the blacklist entry after approval. */
function ApprovalHint({ preview }: Pick<AdminSubmission, 'preview'>) {
  if (!preview)
    return <p className={styles.hint}>Cannot be approved: this domain already has the maximum number of sources.</p>;
  const { sources, independentSourceCount, riskLevel } = preview;
  const names = sources.slice(0, maxNames).map((name) => `“${name}”`);
  const others = sources.length - names.length;
  return (
    <p className={styles.hint}>
      <span>
        Once approved, listed by {countSources({ sourceCount: sources.length, independentSourceCount })}:{' '}
        <bdi>{list.format(others > 0 ? [...names, `${others} more`] : names)}</bdi>
      </span>
      <RiskBadge level={riskLevel} />
    </p>
  );
}

interface OutsideLinkProps {
  href: string;
  /** Whether it is part of a text, where color alone does not mark it as a link. */
  inText?: boolean;
  children: ReactNode;
}

/** A link to an external site that sends no referrer. */
function OutsideLink({ href, inText = false, children }: OutsideLinkProps) {
  return (
    <Anchor
      inherit
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      underline={inText ? 'always' : 'hover'}
    >
      {children}&nbsp;
      <NewTabIcon />
    </Anchor>
  );
}
