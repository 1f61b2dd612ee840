import type { QueryClient } from '@tanstack/react-query';
import { type Confidence, getBlacklistStats, type RiskLevel, riskLevels } from '#shared/blacklist/domains.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { Explained } from '../../ui/explained.tsx';
import type { SourceCounts } from '../sources/listings.tsx';
import styles from './domains.module.css';

export const riskLabels: Record<RiskLevel, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  'very high': 'Very High',
};

/** A badge such as '●●●○ High Risk', in the color of the level. A report has a toxicity of the same levels. */
export function RiskBadge({ level, of = 'Risk' }: { level: RiskLevel; of?: 'Risk' | 'Toxicity' }) {
  return (
    <span className={styles.badge} data-level={level}>
      <RiskDots level={level} />
      {riskLabels[level]} {of}
    </span>
  );
}

/** One to four filled dots out of four, in the color of the text: the risk level without color. */
export function RiskDots({ level }: { level: RiskLevel }) {
  return (
    <svg className={styles.dots} viewBox="0 0 29 7" aria-hidden="true">
      {riskLevels.map((step, index) => (
        <circle
          key={step}
          className={index <= riskLevels.indexOf(level) ? styles.filled : undefined}
          cx={3.5 + index * 7.33}
          cy={3.5}
          r={2.75}
        />
      ))}
    </svg>
  );
}

/** The number of independent sources at each risk level, for legends. */
export const riskSources: Record<RiskLevel, string> = {
  low: '1 independent source',
  medium: '2–3 independent sources',
  high: '4 independent sources',
  'very high': '5 or more independent sources',
};

export const confidenceLabels: Record<Confidence, string> = {
  reported: 'Reported',
  probable: 'Probable',
  confirmed: 'Confirmed',
};

const confidenceMeanings: Record<Confidence, string> = {
  confirmed:
    'A seller offers links on this site, or an admin verified a submission, with a price or a link as evidence.',
  probable:
    'Two or more independent sources list this site. Or a seller or a verified submission lists it, but without a price or a link as evidence.',
  reported: 'One independent source lists this site. It is neither a seller nor a verified submission.',
};

/** A badge such as 'Confirmed', with a meter. */
export function ConfidenceBadge({ confidence }: { confidence: Confidence }) {
  return (
    <Explained text={confidenceMeanings[confidence]} note="Risk counts the sources. Confidence rates their evidence.">
      <span className={styles.meter} data-confidence={confidence}>
        {confidenceLabels[confidence]}
      </span>
    </Explained>
  );
}

/** Null for a domain that is not listed. */
type SourceCountProps = { [Name in keyof SourceCounts]: number | null };

/** How many sources a risk level comes from: '3 of 4 independent', or '4 sources' if all are. */
export function SourceCount({ sourceCount, independentSourceCount: independent }: SourceCountProps) {
  if (sourceCount === null || independent === null) return null;
  const isEqual = independent === sourceCount;
  const sources = plural(sourceCount, 'source lists', 'sources list');
  return (
    <Explained
      text={
        isEqual
          ? `${sources} this site${sourceCount === 1 ? '' : ', independently of each other'}.`
          : `${sources} this site, but only ${formatCount(independent)} of them independently. Sources that copy from each other count once.`
      }
      note="Risk counts independent sources: 1 is low, 2 or 3 medium, 4 high, 5 or more very high."
    >
      {isEqual
        ? plural(sourceCount, 'source')
        : `${formatCount(independent)} of ${formatCount(sourceCount)} independent`}
    </Explained>
  );
}

/** The number of domains by risk level, and when the blacklist was last changed. */
export const statsQuery = endpointQuery(['stats', 'count'], getBlacklistStats, {});

/** Reloads every list, filter option, count and check. Call it after any change to the blacklist. */
export async function refreshDomains(client: QueryClient): Promise<void> {
  await Promise.all(['domains', 'stats', 'checks'].map((name) => client.invalidateQueries({ queryKey: [name] })));
}
