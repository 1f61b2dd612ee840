import { Title } from '@mantine/core';
import { Check, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ReviewedSubmission, SubmissionStatus } from '#shared/submissions.ts';
import { Button } from '../ui/button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { Breakable } from '../ui/text.tsx';
import { addressParts } from './address-parts.ts';
import { ForeseenHint } from './foreseen-hint.tsx';
import { ListingHint } from './listing-hint.tsx';
import { OutsideLink } from './outside-link.tsx';
import { StatusBadge, statusWords } from './status-badge.tsx';
import styles from './submission-card.module.css';

interface SubmissionCardProps {
  submission: ReviewedSubmission;
  /** What was decided a moment ago, while the card keeps its place. */
  outcome: SubmissionStatus | undefined;
  /** The answer is on its way. */
  isBusy: boolean;
  onApprove(): void;
  onReject(): void;
}

/** Everything about a suggested site, and the decision while there is none. */
export function SubmissionCard({ submission, outcome, isBusy, onApprove, onReject }: SubmissionCardProps) {
  const { id, domain, status, evidence, additionalNotes, submitterEmail, dateDecided, decidedBy, reason } = submission;
  return (
    <li className={styles.card} data-submission={id} data-outcome={outcome}>
      <div className={styles.top}>
        <Title order={2} size="h3" className={styles.name}>
          <OutsideLink href={`https://${domain}/`}>
            <Breakable>{domain}</Breakable>
          </OutsideLink>
        </Title>
        <StatusBadge status={outcome ?? status} />
      </div>
      <p className={styles.sent}>
        Submitted <DateText value={submission.dateSubmitted} /> by{' '}
        <span className={styles.submitter}>
          {submitterEmail ? <Breakable>{submitterEmail}</Breakable> : 'somebody whose account is gone'}
        </span>
      </p>
      <ListingHint domain={domain} status={status} listing={submission.listing} />
      {status === 'pending' && <ForeseenHint foreseen={submission.foreseen} />}
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
      {outcome && <p className={styles.outcome}>{statusWords[outcome]}</p>}
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
  return addressParts(text).map((part, index) =>
    part.isAddress ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places
      <OutsideLink key={index} href={part.text} inText>
        {part.text}
      </OutsideLink>
    ) : (
      part.text
    ),
  );
}
