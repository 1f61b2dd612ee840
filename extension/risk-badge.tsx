import type { Listing } from '../lookup/lookup.ts';
import { describeRisk } from './texts.ts';

export function RiskBadge({ listing }: { listing: Pick<Listing, 'riskLevel'> }) {
  return (
    <span className="badge" data-level={listing.riskLevel}>
      {describeRisk(listing)}
    </span>
  );
}
