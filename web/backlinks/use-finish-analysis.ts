import { useQueryClient } from '@tanstack/react-query';
import type { AnalysisResult } from '#shared/backlinks.ts';
import { profilesQuery } from '../profiles/profiles.ts';
import { toast } from '../ui/toast.tsx';
import { reportsQuery, runningQuery } from './queries.ts';
import { formatPercentage } from './toxicity.ts';
import { useScreen } from './use-screen.ts';

const number = new Intl.NumberFormat('en-US');

/** Says that an analysis is complete, and shows its report in the analyzer. */
export function useFinishAnalysis(): (result: AnalysisResult) => void {
  const queries = useQueryClient();
  const { go } = useScreen();
  return (result) => {
    toast({ title: 'Analysis Complete', description: completionWords(result), tone: 'success' });
    for (const { queryKey } of [profilesQuery, reportsQuery(result.profileId), runningQuery]) {
      void queries.invalidateQueries({ queryKey });
    }
    void go({ ...closed, tab: undefined, result: result.reportId }, { replace: true });
  };
}

/** Everything that may stand open on the screen. */
export const closed = {
  analysis: undefined,
  result: undefined,
  profile: undefined,
  report: undefined,
  page: undefined,
  risk: undefined,
};

/** What an analysis came to, in one sentence. */
export function completionWords({ toxicDomains, uniqueDomains, toxicityPercentage }: AnalysisResult): string {
  if (toxicDomains === 0) return 'None of the domains is on the blacklist.';
  return `${number.format(toxicDomains)} of ${number.format(uniqueDomains)} unique domains on the blacklist (${formatPercentage(toxicityPercentage)}).`;
}
