import type { ReactNode } from 'react';
import { formatCount } from '../platform/format.ts';
import styles from './bars.module.css';
import hidden from './hidden.module.css';

interface BarsProps {
  /** Values with their numbers of domains, the largest number first. */
  values: readonly { name: string; domains: number }[];
  toLabel?(name: string): string;
  /** Renders the row of a value, such as a link to its domains. */
  renderRow(row: { name: string; className: string | undefined; children: ReactNode }): ReactNode;
}

/** A bar for each value, with its number of domains. */
export function Bars({ values, toLabel = (name) => name, renderRow }: BarsProps) {
  const max = values[0]?.domains ?? 1;
  return (
    <ul>
      {values.map(({ name, domains }) => (
        <li key={name}>
          {renderRow({
            name,
            className: styles.row,
            children: (
              <>
                <bdi className={styles.name}>{toLabel(name)}</bdi>
                <span className={styles.count}>
                  {formatCount(domains)}
                  <span className={hidden.hidden}> {domains === 1 ? 'domain' : 'domains'}</span>
                </span>
                <span className={styles.track} aria-hidden>
                  <span className={styles.fill} style={{ width: `${(100 * domains) / max}%` }} />
                </span>
              </>
            ),
          })}
        </li>
      ))}
    </ul>
  );
}
