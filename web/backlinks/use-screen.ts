import { useNavigate, useSearch } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { type RiskAssessmentSearch, riskAssessmentSearch } from './search.ts';

/** The address of the risk assessment as state: what it says, and how to change it. */
export function useScreen() {
  const search: RiskAssessmentSearch = riskAssessmentSearch.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  return {
    search,
    tab: search.tab ?? (search.profile || search.report ? 'reports' : 'analyzer'),
    /** Goes to another state of the screen; named parts change, `undefined` leaves the address. */
    go: (change: Partial<RiskAssessmentSearch>, options: { replace?: boolean } = {}) =>
      navigate({
        to: paths.riskAssessment,
        search: { ...search, ...change },
        replace: options.replace ?? false,
        resetScroll: false,
      }),
  };
}
