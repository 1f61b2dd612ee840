import type { Confidence, RiskLevel } from '#shared/blacklist/domains.ts';
import type { Listing } from '../lookup/lookup.ts';

const riskNames: Record<RiskLevel, string> = {
  low: 'Low Risk',
  medium: 'Medium Risk',
  high: 'High Risk',
  'very high': 'Very High Risk',
};

const confidenceNames: Record<Confidence, string> = {
  reported: 'Reported',
  probable: 'Probable',
  confirmed: 'Confirmed',
};

export const describeRisk = ({ riskLevel }: Pick<Listing, 'riskLevel'>): string => riskNames[riskLevel];

export const describeConfidence = ({ confidence }: Pick<Listing, 'confidence'>): string =>
  confidence === null ? 'Unknown' : confidenceNames[confidence];

/** 'Mar 4, 2026' */
export function describeDate(text: string): string {
  return new Date(text).toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric' });
}

export const plural = (count: number, one: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`;

/** 'High Risk: shop.example is listed by 4 sources' */
export function describeListing(listing: Listing): string {
  const { domain, sourceCount } = listing;
  return `${describeRisk(listing)}: ${domain} is listed by ${plural(sourceCount ?? 1, 'source')}`;
}

export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
