import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Bell,
  ChartNoAxesColumn,
  FileText,
  FlaskConical,
  Globe,
  Keyboard,
  ListChecks,
  LogIn,
  LogOut,
  type LucideIcon,
  Search,
  Send,
  UserPlus,
  UserRound,
} from 'lucide-react';
import type { User } from '#shared/accounts/accounts.ts';
import { useLogOut, useSession } from '../accounts/sessions/session.tsx';
import { adminGroups, toAdminLink } from '../operations/admin/admin.ts';
import { paths } from '../paths.ts';
import { pageState } from '../platform/page-state.ts';
import { websitesQuery } from '../reports/websites/websites.ts';
import { densities, setDensity, useDensity } from '../ui/density.ts';
import { openKeyboardHelp } from './overlay.ts';
import { themes } from './themes.ts';

/** All entries of the command palette for the current user. The user's websites are loaded when the palette opens. */
export function usePaletteEntries(opened: boolean, typed: string): PaletteEntry[] {
  const navigate = useNavigate();
  const { user } = useSession();
  const logOut = useLogOut();
  const density = useDensity();
  const { data: websites = [] } = useQuery({ ...websitesQuery, enabled: opened && user !== undefined });

  const check: PaletteEntry = {
    group: 'Blacklist',
    label: `Check a domain: ${typed}`,
    Icon: Search,
    alwaysShown: true,
    run: () => void navigate({ to: paths.domains, search: { search: typed } }),
  };
  const more: PaletteEntry[] = [
    { group: 'More', label: 'Keyboard shortcuts', Icon: Keyboard, keywords: 'help keys', run: openKeyboardHelp },
    user
      ? { group: 'More', label: 'Log out', Icon: LogOut, keywords: 'sign out', run: () => void logOut() }
      : {
          group: 'More',
          label: 'Create an account',
          Icon: UserPlus,
          keywords: 'register sign up free access',
          run: () => void navigate({ to: paths.auth, search: { tab: 'register' } }),
        },
  ];
  return [
    ...(typed === '' ? [] : [check]),
    ...listPages(user).map(([label, to, Icon, keywords]) => ({
      group: 'Pages' as const,
      label,
      Icon,
      keywords,
      run: () => void navigate({ to }),
    })),
    ...(user?.isAdmin ? adminGroups.flatMap(({ entries }) => entries) : []).map((entry) => ({
      group: 'Admin' as const,
      label: entry.label,
      Icon: entry.Icon,
      keywords: entry.keywords,
      run: () => void navigate(toAdminLink(entry)),
    })),
    ...websites.map(({ id, domain }) => ({
      group: 'My websites' as const,
      label: domain,
      Icon: Globe,
      keywords: 'reports',
      run: () => void navigate({ to: paths.riskAssessment, search: { tab: 'reports', profile: id } }),
    })),
    ...themes.map(({ value, label, Icon }) => ({
      group: 'Theme' as const,
      label: `${label} theme`,
      Icon,
      checked: value === document.documentElement.dataset.theme,
      run: () => document.querySelector<HTMLElement>(`[data-theme-choice="${value}"]`)?.click(),
    })),
    ...densities.map(({ value, label, Icon }) => ({
      group: 'Tables' as const,
      label,
      Icon,
      keywords: 'density height',
      checked: value === density,
      run: () => setDensity(value),
    })),
    ...more,
  ];
}

type Page = [label: string, to: (typeof paths)[keyof typeof paths], Icon: PaletteEntry['Icon'], keywords: string];

/** The pages that a user, or a visitor if undefined, has access to. */
function listPages(user: User | undefined): Page[] {
  const userPages: Page[] = [
    ['Blacklist', paths.dashboard, Search, 'domains database search dashboard'],
    ['Risk Assessment', paths.riskAssessment, ChartNoAxesColumn, 'backlinks analyze reports toxicity disavow'],
    ['Alerts', paths.alerts, Bell, 'watch notifications monitoring unread listed raised'],
    ['Submit Sites', paths.submitSites, Send, 'suggest paid links'],
    ['My account', paths.account, UserRound, 'api keys websites password plan subscription support payment'],
  ];
  const publicPages: Page[] = [
    ['Home', paths.home, FileText, ''],
    ['Check a List', paths.check, ListChecks, 'domains prices bulk upload paste buy links'],
    ['Features', paths.features, FileText, 'questions'],
    ['Use Cases', paths.useCases, FileText, ''],
    ['Methodology', paths.methodology, FileText, 'risk levels sources toxicity matching limits'],
    ['Updates', paths.updates, FileText, 'changes months public lists licenses feed'],
    ['Browser Extension', paths.extension, FileText, 'install addon chrome edge firefox'],
    ['About', paths.about, FileText, ''],
    ['Contact', paths.contact, FileText, 'message support'],
    ['API documentation', paths.apiDocs, FileText, 'developers openapi curl'],
    ['Privacy Policy', paths.privacyPolicy, FileText, 'legal'],
    ['Terms of Service', paths.termsOfService, FileText, 'legal'],
    ['Crawler', paths.crawler, FileText, 'linksievebot robots.txt visits opt out'],
    ['Accessibility Statement', paths.accessibility, FileText, 'a11y wcag keyboard screen reader'],
  ];
  const visitorPages: Page[] = [['Sign In', paths.auth, LogIn, 'login']];
  const debugPages: Page[] = [
    ['Test Stripe', paths.testStripe, FlaskConical, 'debug checkout payment'],
    ['Test Stripe checkout', paths.testStripeCheckout, FlaskConical, 'debug payment'],
  ];
  return [...(user ? userPages : visitorPages), ...publicPages, ...(pageState().debug ? debugPages : [])];
}

/** One line of the command palette. */
export interface PaletteEntry {
  group: 'Blacklist' | 'Pages' | 'Admin' | 'My websites' | 'Theme' | 'Tables' | 'More';
  label: string;
  Icon: LucideIcon;
  run: () => void;
  /** Additional words to find it by. */
  keywords?: string;
  /** Whether every query finds it, because it is made from the query itself. */
  alwaysShown?: boolean;
  /** Whether it is the current setting. */
  checked?: boolean;
}

/** Returns the entries that contain every word of the query, in the same order. */
export function filterEntries(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/);
  return entries.filter(({ group, label, keywords = '', alwaysShown }) => {
    const text = `${label} ${group} ${keywords}`.toLowerCase();
    return alwaysShown || words.every((word) => text.includes(word));
  });
}

/** Groups the entries by their group name, and numbers them in display order from 0. */
export function groupEntries(
  entries: readonly PaletteEntry[],
): [name: string, entries: (PaletteEntry & { index: number })[]][] {
  const groups = new Map<string, (PaletteEntry & { index: number })[]>();
  for (const name of new Set(entries.map(({ group }) => group))) groups.set(name, []);
  let index = 0;
  for (const [name, group] of groups) {
    for (const entry of entries) {
      if (entry.group === name) group.push({ ...entry, index: index++ });
    }
  }
  return [...groups];
}
