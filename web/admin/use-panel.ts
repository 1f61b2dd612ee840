import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import type { AdminPanelSearch } from './search.ts';

const route = getRouteApi('/admin-only/admin/panel');

/** The address of the admin panel as state: what it says, and how to change it. */
export function usePanel() {
  const search = route.useSearch();
  const navigate = useNavigate();
  return {
    search,
    tab: search.tab ?? 'import',
    /** Named parts change; `undefined` leaves the address. */
    go: (change: Partial<AdminPanelSearch>) =>
      navigate({ to: paths.adminPanel, search: { ...search, ...change }, resetScroll: false }),
    /** To another tab; an import that is watched there stays watched. */
    goToTab: (tab: AdminPanelSearch['tab']) =>
      navigate({ to: paths.adminPanel, search: { tab, job: search.job }, resetScroll: false }),
  };
}
