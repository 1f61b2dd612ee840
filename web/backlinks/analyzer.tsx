import type { AnalysisDraft } from './analysis-draft.ts';
import { AnalysisWatch } from './analysis-watch.tsx';
import { AnalyzerGuide } from './analyzer-guide.tsx';
import { AnalyzerResult } from './analyzer-result.tsx';
import { useScreen } from './use-screen.ts';

/** The Risk Analyzer tab: a running analysis, a result, or the guide to start one. */
export function Analyzer({ onStart }: { onStart(draft?: Partial<AnalysisDraft>): void }) {
  const { search } = useScreen();
  if (search.analysis) return <AnalysisWatch id={search.analysis} onStart={onStart} />;
  if (search.result) return <AnalyzerResult reportId={search.result} />;
  return <AnalyzerGuide onStart={onStart} />;
}
