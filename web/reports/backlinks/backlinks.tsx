import type { Website } from '#shared/reports/websites.ts';
import { RiskBadge } from '../../blacklist/domains/domains.tsx';
import hidden from '../../ui/hidden.module.css';
import { Sparkline } from './sparkline.tsx';
import { compareToxicity, DeltaText, formatToxicity } from './toxicity.tsx';
import styles from './website-toxicity.module.css';

/** The toxicity of a website in its last reports: a sparkline, the newest value and rating, and the last change. */
export function WebsiteToxicity({ website: { lastReport, trend } }: { website: Website }) {
  const current = trend.at(-1);
  if (!lastReport || !current) return null;
  const delta = compareToxicity(current, trend.at(-2));
  return (
    <div className={styles.toxicity}>
      {trend.some(({ toxicityPercentage }) => toxicityPercentage !== null) && <Sparkline trend={trend} />}
      <div className={styles.figures}>
        <div className={styles.now}>
          <span className={styles.value}>{formatToxicity(current)}</span>
          <RiskBadge level={lastReport.toxicityRating} of="Toxicity" />
        </div>
        <div className={styles.change}>
          {delta ? (
            <>
              <DeltaText delta={delta} />
              <span className={hidden.hidden}> since the previous report</span>
            </>
          ) : (
            'First report'
          )}
        </div>
      </div>
    </div>
  );
}
