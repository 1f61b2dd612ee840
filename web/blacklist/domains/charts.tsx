import { Suspense } from 'react';
import { lazyPart } from '../../platform/load-part.ts';
import styles from './domains.module.css';

/** Counts by risk level as a bar. */
export const RiskBar = lazyPart(() => import('./risk-bar.tsx'), 'RiskBar');

const LoadedComposition = lazyPart(() => import('./composition.tsx'), 'Composition');

/** What the blacklist consists of, in charts. Keeps their place while they load. */
export function Composition() {
  return (
    <div className={styles.composition}>
      <Suspense fallback={<div data-waiting />}>
        <LoadedComposition />
      </Suspense>
    </div>
  );
}
