import type { RiskLevel } from '#shared/domains.ts';
import { RiskBadge } from '../domains/domains.tsx';
import classes from './sample-report.module.css';

const rows: { domain: string; level: RiskLevel; sources: number }[] = [
  { domain: 'guestposts.example', level: 'very high', sources: 6 },
  { domain: 'casino-news.example', level: 'high', sources: 4 },
  { domain: 'techblog.example', level: 'medium', sources: 2 },
  { domain: 'homegarden.example', level: 'low', sources: 1 },
];

/** A picture of a report, so that people see what they will get. */
export function SampleReport() {
  return (
    <figure className={classes.report} aria-label="A sample toxicity report">
      <div className={classes.head}>
        <div>
          <div className={classes.site}>yoursite.example</div>
          <div className={classes.small}>1,284 backlinks from 312 domains</div>
        </div>
        <div className={classes.score}>
          <strong>7.4%</strong>
          <span className={classes.small}>toxicity</span>
        </div>
      </div>
      <div className={classes.bar} aria-hidden="true">
        <span style={{ width: '7.4%' }} />
      </div>
      <ul className={classes.rows}>
        {rows.map(({ domain, level, sources }) => (
          <li key={domain}>
            <span className={classes.domain}>{domain}</span>
            <span className={classes.small}>{sources === 1 ? '1 source' : `${sources} sources`}</span>
            <RiskBadge level={level} />
          </li>
        ))}
      </ul>
      <figcaption className={classes.caption}>Sample report</figcaption>
    </figure>
  );
}
