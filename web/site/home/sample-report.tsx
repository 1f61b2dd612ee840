import type { Confidence, RiskLevel } from '#shared/blacklist/domains.ts';
import { confidenceLabels, RiskBadge } from '../../blacklist/domains/domains.tsx';
import classes from './sample-report.module.css';

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
    <figure className={classes.report} aria-label="A sample toxicity report">
      <figcaption className={classes.head}>
        <span className={classes.site}>maple-kitchen.example</span>
        <span className={classes.caption}>Sample report</span>
      </figcaption>
      <dl className={classes.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.scale} aria-hidden="true">
        <span className={classes.fill} style={{ width: fill }} />
        <span className={classes.mark} style={{ left: '33.3%' }}>
          5%
        </span>
        <span className={classes.mark} style={{ left: '66.6%' }}>
          10%
        </span>
      </div>
      <ul className={classes.rows}>
        {rows.map(({ domain, level, confidence, sources, evidence }) => (
          <li key={domain}>
            <span className={classes.domain}>{domain}</span>
            <RiskBadge level={level} />
            <span className={classes.more}>{confidenceLabels[confidence]}</span>
            <span className={classes.more}>{sources === 1 ? '1 source' : `${sources} sources`}</span>
            <span className={classes.more}>{evidence}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
