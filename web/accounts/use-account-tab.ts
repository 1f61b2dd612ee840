import { useNavigate, useSearch } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { accountSearch, type accountTabs } from './search.ts';

/** The tab that the address of the account names, and how to open another. */
export function useAccountTab() {
  const { tab = 'websites' } = accountSearch.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  return {
    tab,
    open: (next: (typeof accountTabs)[number] | undefined) =>
      void navigate({
        to: paths.account,
        search: { tab: next === 'websites' ? undefined : next },
        replace: true,
        resetScroll: false,
      }),
  };
}
