import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import type { RiskAssessmentSearch } from './search.ts';

const route = getRouteApi('/signed-in/risk-assessment');

/** The address of the risk assessment as state: what it says, and how to change it. */
export function useScreen() {
  const search = route.useSearch();
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
