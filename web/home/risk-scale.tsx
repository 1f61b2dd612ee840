import { RiskBadge } from '../domains/domains.tsx';
import classes from './domain-check.module.css';

const scale = [
  { level: 'low', words: '1 source names it' },
  { level: 'medium', words: '2 or 3 sources' },
  { level: 'high', words: '4 sources' },
  { level: 'very high', words: '5 or more sources' },
] as const;

/** What an answer can say, before somebody has asked. */
export function RiskScale() {
  return (
    <dl className={classes.scale}>
      {scale.map(({ level, words }) => (
        <div key={level}>
          <dt>
            <RiskBadge level={level} />
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}
