import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  ChartNoAxesColumn,
  FileText,
  FlaskConical,
  Globe,
  Keyboard,
  LogIn,
  LogOut,
  type LucideIcon,
  Search,
  Send,
  ShieldCheck,
  UserPlus,
  UserRound,
} from 'lucide-react';
import type { User } from '#shared/accounts.ts';
import { pageState } from '../lib/page-state.ts';
import { paths } from '../paths.ts';
import { profilesQuery } from '../profiles/profiles.ts';
import { useLogOut, useSession } from '../session/session.tsx';
import { themes } from './header.tsx';
import { openKeyboardHelp } from './shortcuts.tsx';

/** What the person can go to and do, given what they have typed. Their websites are asked for when the palette opens. */
export function usePaletteEntries(opened: boolean, typed: string): PaletteEntry[] {
  const navigate = useNavigate();
  const { user } = useSession();
  const logOut = useLogOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { data: profiles = [] } = useQuery({ ...profilesQuery, enabled: opened && user !== undefined });

  const check: PaletteEntry = {
    group: 'Blacklist',
    label: `Check a domain: ${typed}`,
    Icon: Search,
    typed: true,
    run: () => void navigate({ to: paths.domains, search: { search: typed } }),
  };
  const more: PaletteEntry[] = [
    { group: 'More', label: 'Keyboard shortcuts', Icon: Keyboard, words: 'help keys', run: openKeyboardHelp },
    user
      ? { group: 'More', label: 'Log out', Icon: LogOut, words: 'sign out', run: () => void logOut() }
      : {
          group: 'More',
          label: 'Create an account',
          Icon: UserPlus,
          words: 'register sign up free access',
          run: () => void navigate({ to: paths.auth, search: { tab: 'register' } }),
        },
  ];
  return [
    ...(typed === '' ? [] : [check]),
    ...pagesFor(user).map(([label, to, Icon, words]) => ({
      group: 'Pages' as const,
      label,
      Icon,
      words,
      run: () => void navigate({ to }),
    })),
    ...profiles.map(({ id, domain }) => ({
      group: 'My websites' as const,
      label: domain,
      Icon: Globe,
      words: 'reports',
      run: () => void navigate({ to: paths.riskAssessment, search: { tab: 'reports', profile: id } }),
    })),
    ...themes.map(({ value, label, Icon }) => ({
      group: 'Theme' as const,
      label: `${label} theme`,
      Icon,
      checked: value === colorScheme,
      run: () => setColorScheme(value),
    })),
    ...more,
  ];
}

type Page = [label: string, to: (typeof paths)[keyof typeof paths], Icon: PaletteEntry['Icon'], words: string];

function pagesFor(user: User | undefined): Page[] {
  const own: Page[] = [
    ['Blacklist', paths.dashboard, Search, 'domains database search dashboard'],
    ['Risk Assessment', paths.riskAssessment, ChartNoAxesColumn, 'backlinks analyze reports toxicity disavow'],
    ['Submit Sites', paths.submitSites, Send, 'suggest paid links'],
    ['My account', paths.account, UserRound, 'api keys websites password plan subscription support payment'],
  ];
  const office: Page[] = [
    ['Admin dashboard', paths.admin, ShieldCheck, 'statistics'],
    ['Admin Panel', paths.adminPanel, ShieldCheck, 'import database users system'],
    ['Manage Profiles', paths.adminProfiles, ShieldCheck, 'admin transfer orphaned'],
    ['Message Inbox', paths.adminInbox, ShieldCheck, 'admin contact messages'],
    ['Site Submissions', paths.adminSubmissions, ShieldCheck, 'admin review approve'],
  ];
  const everybodys: Page[] = [
    ['Home', paths.home, FileText, ''],
    ['Features', paths.features, FileText, 'questions'],
    ['Use Cases', paths.useCases, FileText, ''],
    ['Methodology', paths.methodology, FileText, 'risk levels sources toxicity matching limits'],
    ['About', paths.about, FileText, ''],
    ['Contact', paths.contact, FileText, 'message support'],
    ['API documentation', paths.apiDocs, FileText, 'developers openapi curl'],
    ['Privacy Policy', paths.privacyPolicy, FileText, 'legal'],
    ['Terms of Service', paths.termsOfService, FileText, 'legal'],
  ];
  const signIn: Page[] = [['Sign In', paths.auth, LogIn, 'login']];
  const trying: Page[] = [
    ['Test Stripe', paths.testStripe, FlaskConical, 'debug checkout payment'],
    ['Test Stripe checkout', paths.testStripeCheckout, FlaskConical, 'debug payment'],
  ];
  return [
    ...(user ? own : signIn),
    ...(user?.isAdmin ? office : []),
    ...everybodys,
    ...(pageState().debug ? trying : []),
  ];
}

/** One line of the command palette. */
export interface PaletteEntry {
  group: 'Blacklist' | 'Pages' | 'My websites' | 'Theme' | 'More';
  label: string;
  Icon: LucideIcon;
  run: () => void;
  /** Further words by which it is found. */
  words?: string;
  /** Made from what is typed: found whatever that is. */
  typed?: boolean;
  /** Whether it is how things are already. */
  checked?: boolean;
}

/** The entries that have every word of the query, in their order. */
export function matching(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/);
  return entries.filter(({ group, label, words: more = '', typed }) => {
    const text = `${label} ${group} ${more}`.toLowerCase();
    return typed || words.every((word) => text.includes(word));
  });
}

/** The entries below the names of their groups, each with its place in the whole list. */
export function groupsOf(
  entries: readonly PaletteEntry[],
): [name: string, entries: (PaletteEntry & { at: number })[]][] {
  const groups = new Map<string, (PaletteEntry & { at: number })[]>();
  for (const name of new Set(entries.map(({ group }) => group))) groups.set(name, []);
  let at = 0;
  for (const [name, group] of groups) {
    for (const entry of entries) {
      if (entry.group === name) group.push({ ...entry, at: at++ });
    }
  }
  return [...groups];
}
