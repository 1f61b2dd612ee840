import { lazy, Suspense } from 'react';

// Only admins see sources: nobody else loads their icons.
const SourceLabel = lazy(() => import('./source-label.tsx').then((module) => ({ default: module.SourceLabel })));

/** The sources of a row. */
export function SourceCell({ source }: { source: string | undefined }) {
  return (
    <Suspense fallback={<span data-waiting>{source}</span>}>
      <SourceLabel source={source} />
    </Suspense>
  );
}
