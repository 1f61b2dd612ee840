import type { ReviewedSubmission, Submission } from '#shared/submissions.ts';
import type { Listing } from '../domains/find-listings.ts';
import type { ForeseenListing } from '../domains/foresee-listings.ts';
import type { SubmissionRow } from './store.ts';

/** A submission as its submitter may see it: who decided is for admins. */
export function submissionOf({ decidedBy, ...row }: SubmissionRow): Submission {
  return {
    ...row,
    dateSubmitted: row.dateSubmitted.toISOString(),
    dateDecided: row.dateDecided?.toISOString() ?? null,
  };
}

/** A submission as admins see it, with what covers its domain in the blacklist and what approving it would make of that. */
export function reviewedSubmissionOf(
  row: SubmissionRow,
  listing: Listing | undefined,
  foreseen: ForeseenListing | undefined,
): ReviewedSubmission {
  return {
    ...submissionOf(row),
    decidedBy: row.decidedBy,
    listing: listing
      ? {
          id: listing.id,
          domain: listing.domain,
          riskLevel: listing.riskLevel,
          sourceCount: listing.sourceCount,
        }
      : null,
    foreseen: foreseen ?? null,
  };
}
