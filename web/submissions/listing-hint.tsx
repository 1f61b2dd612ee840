import type { ReviewedSubmission } from '#shared/submissions.ts';
import { RiskBadge } from '../domains/domains.tsx';
import { paths } from '../paths.ts';
import { TextLink } from '../ui/screen.tsx';
import styles from './listing-hint.module.css';

/** What the blacklist says of a suggested site now. */
export function ListingHint({ domain, status, listing }: Pick<ReviewedSubmission, 'domain' | 'status' | 'listing'>) {
  if (!listing) {
    return status === 'rejected' ? null : (
      <p className={styles.hint}>
        {status === 'pending' ? 'New: not in the blacklist yet.' : 'No longer in the blacklist.'}
      </p>
    );
  }
  const sources = listing.sourceCount === 1 ? '1 source' : `${listing.sourceCount} sources`;
  return (
    <p className={styles.hint}>
      <span>
        {status === 'approved' ? 'Listed' : 'Already listed'}
        {listing.domain !== domain && ` as part of ${listing.domain}`} by {sources}
      </span>
      <RiskBadge level={listing.riskLevel} />
      <TextLink
        to={paths.domains}
        search={{ domain: listing.id }}
        inherit
        aria-label={`Open the entry of ${listing.domain}`}
      >
        Open the entry
      </TextLink>
    </p>
  );
}
