import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import type { accountTabs } from './search.ts';

const route = getRouteApi('/signed-in/account');

/** The tab that the address of the account names, and how to open another. */
export function useAccountTab() {
  const { tab = 'websites' } = route.useSearch();
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
