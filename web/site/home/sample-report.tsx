import type { Confidence, RiskLevel } from '#shared/blacklist/domains.ts';
import { confidenceLabels, RiskBadge } from '../../blacklist/domains/domains.tsx';
import styles from './sample-report.module.css';

const facts = [
  { name: 'Toxicity', value: '7.4%' },
  { name: 'High risk and above', value: '9' },
  { name: 'Toxic domains', value: '23' },
  { name: 'Referring domains', value: '312' },
  { name: 'Backlinks', value: '1,284' },
];

const rows: { domain: string; level: RiskLevel; confidence: Confidence; sources: number; evidence: string }[] = [
  {
    domain: 'guestpost-harbor.example',
    level: 'very high',
    confidence: 'confirmed',
    sources: 6,
    evidence: 'Offered for $120',
  },
  {
    domain: 'daily-finance-wire.example',
    level: 'high',
    confidence: 'confirmed',
    sources: 4,
    evidence: 'Media kit, $240',
  },
  {
    domain: 'techblog-review.example',
    level: 'medium',
    confidence: 'probable',
    sources: 2,
    evidence: 'Two link lists',
  },
  { domain: 'homegarden-notes.example', level: 'low', confidence: 'reported', sources: 1, evidence: 'One public list' },
];

/** The width of the bar for 7.4%, on a scale that ends at 15%. */
const fill = `${(7.4 / 15) * 100}%`;

/** An example of a report, drawn with the product's own parts. */
export function SampleReport() {
  return (
    <figure id="sample-report" className={styles.report} aria-label="A sample toxicity report">
      <figcaption className={styles.head}>
        <span className={styles.site}>maple-kitchen.example</span>
        <span className={styles.caption}>Sample report</span>
      </figcaption>
      <dl className={styles.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.scale} aria-hidden="true">
        <span className={styles.fill} style={{ width: fill }} />
        <span className={styles.mark} style={{ left: '33.3%' }}>
          5%
        </span>
        <span className={styles.mark} style={{ left: '66.6%' }}>
          10%
        </span>
      </div>
      <ul className={styles.rows}>
        {rows.map(({ domain, level, confidence, sources, evidence }) => (
          <li key={domain}>
            <span className={styles.domain}>{domain}</span>
            <RiskBadge level={level} />
            <span className={styles.more}>{confidenceLabels[confidence]}</span>
            <span className={styles.more}>{sources === 1 ? '1 source' : `${sources} sources`}</span>
            <span className={styles.more}>{evidence}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
