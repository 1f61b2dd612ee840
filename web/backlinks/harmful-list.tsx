import type { HarmfulBacklink } from '#shared/reports.ts';
import { RiskBadge } from '../domains/domains.tsx';
import styles from './harmful-backlinks.module.css';
import { ReferringPage } from './referring-page-link.tsx';

/** One page of harmful backlinks for narrow screens. */
export function HarmfulList({ backlinks }: { backlinks: readonly HarmfulBacklink[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls has to be reachable by keyboard
    <section className={styles.scroll} aria-label="Harmful backlinks, scrollable" tabIndex={0}>
      <ul className={styles.list}>
        {backlinks.map((backlink, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same page may stand in an export twice, and rows never move
          <li key={index} className={styles.entry}>
            <div className={styles.entryHead}>
              <span className={styles.domain}>{backlink.domain}</span>
              <RiskBadge level={backlink.riskLevel} />
            </div>
            <div className={styles.page}>
              <ReferringPage page={backlink.referringPage} />
            </div>
            <div>{backlink.reason}</div>
            <div className={styles.source}>{backlink.source}</div>
          </li>
        ))}
      </ul>
    </section>
  );
}
