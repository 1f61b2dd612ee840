import { useMantineColorScheme } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon, Monitor, ShieldCheck, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { getInitials, type User } from '#shared/accounts/accounts.ts';
import { UserPicture, useGoogleSessionCheck, useLogOut, useSession } from '../accounts/sessions/session.tsx';
import { paths } from '../paths.ts';
import { useKeydown } from '../platform/keys.ts';
import { lazyPart } from '../platform/load-part.ts';
import { useIdlePart } from '../platform/use-idle-part.ts';
import { ButtonLink } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu-button.tsx';
import styles from './header.module.css';
import { themes } from './themes.ts';

/** The bar at the top of every screen. On narrow screens the links move into a menu behind a button. */
export function Header() {
  const { state, user } = useSession();
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  useIdlePart(loadMenus);
  const bell = useIdlePart(loadBell);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes the menu
  useEffect(() => setOpen(false), [pathname]);

  useKeydown((event) => {
    if (!open || event.key !== 'Escape') return;
    setOpen(false);
    toggle.current?.focus();
  });

  return (
    <header className={styles.header} data-signed-in={user ? '' : undefined}>
      <div className={styles.bar}>
        <Brand />
        <div className={styles.wide}>
          <Navigation />
        </div>
        <div className={styles.side}>
          {user?.isAdmin && (
            <Link to={paths.adminPanel} className={styles.badge}>
              <ShieldCheck size={14} aria-hidden />
              Admin Panel
            </Link>
          )}
          {/* Its place, so that nothing moves when it appears. */}
          {user && <span className={styles.bell}>{bell && bell !== 'missing' && <bell.part.AlertsBell />}</span>}
          <ThemeMenu />
          {user && <AccountMenu user={user} />}
          {/* Its place, so that the theme button does not move. */}
          {state === 'loading' && <span className={styles.avatar} />}
          {state === 'visitor' && (
            <div className={styles.visitor} data-visitor>
              <ButtonLink to={paths.auth} variant="subtle" size="xs">
                Sign In
              </ButtonLink>
              <ButtonLink to={paths.auth} search={{ tab: 'register' }} size="xs">
                Get Free Access
              </ButtonLink>
            </div>
          )}
          <button
            ref={toggle}
            type="button"
            className={styles.toggle}
            aria-label={open ? 'Close menu' : 'Open menu'}
            aria-expanded={open}
            aria-controls="mobile-menu"
            onClick={() => setOpen(!open)}
          >
            {open ? <X size={20} aria-hidden /> : <MenuIcon size={20} aria-hidden />}
          </button>
        </div>
      </div>
      <div id="mobile-menu" className={styles.panel} hidden={!open}>
        <Navigation label="Main, small screen" />
        {state === 'visitor' && (
          <div className={styles.panelButtons} data-visitor>
            <ButtonLink to={paths.auth} variant="default" fullWidth size="md">
              Sign In
            </ButtonLink>
            <ButtonLink to={paths.auth} search={{ tab: 'register' }} fullWidth size="md">
              Get Free Access
            </ButtonLink>
          </div>
        )}
      </div>
    </header>
  );
}

/** The logo, name and byline, as a link to the home page. The logo has the same shapes as public/favicon.svg. */
function Brand() {
  return (
    <Link to={paths.home} className={styles.brand}>
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" className={styles.mark}>
        <rect width="32" height="32" rx="7" />
        <path
          className={styles.markLink}
          d="M10 6h4v4h-4a2 2 0 0 0 0 4h4v4h-4a6 6 0 0 1 0-12zm8 0h4a6 6 0 0 1 0 12h-4v-4h4a2 2 0 0 0 0-4h-4z"
        />
        <path className={styles.markMesh} d="M4 22h6v4H4zm8 0h8v4h-8zm10 0h6v4h-6z" />
      </svg>
      <span className={styles.name}>Linksieve</span> <span className={styles.byline}>the paid-link blacklist</span>
    </Link>
  );
}

type Path = (typeof paths)[keyof typeof paths];

/** The links of the header: the screens that the user has access to, then the public pages. */
function Navigation({ label = 'Main' }: { label?: string }) {
  const { state, user } = useSession();
  // The user's links come first. The public ones wait for the session so that they do not move.
  if (state === 'loading') return null;
  return (
    <nav aria-label={label} className={styles.links} data-visitor={user ? undefined : ''}>
      {user && (
        <>
          <NavigationLink to={paths.dashboard} alias={paths.domains} label="Blacklist" />
          <NavigationLink to={paths.riskAssessment} label="Risk Assessment" />
          <NavigationLink to={paths.submitSites} label="Submit Sites" />
          <NavigationLink to={paths.alerts} label="Alerts" className={styles.panelOnly} />
          {user.isAdmin && <NavigationLink to={paths.adminPanel} label="Admin Panel" className={styles.panelOnly} />}
        </>
      )}
      <NavigationLink to={paths.features} label="Features" className={styles.open} />
      <NavigationLink to={paths.useCases} label="Use Cases" className={styles.open} />
      <NavigationLink to={paths.about} label="About" className={styles.open} />
    </nav>
  );
}

/** @param alias another path of the same screen */
function NavigationLink({
  to,
  alias,
  label,
  className = '',
}: {
  to: Path;
  alias?: Path;
  label: string;
  className?: string | undefined;
}) {
  const { pathname } = useLocation();
  const isCurrent = pathname === to || pathname === alias;
  return (
    <Link to={to} className={`${styles.link} ${className}`} aria-current={isCurrent ? 'page' : undefined}>
      {label}
    </Link>
  );
}

const loadBell = () => import('../reports/alerts/alerts.tsx');
const loadMenus = () => import('./header-menus.tsx');
const OpenAccountMenu = lazyPart(async () => (await loadMenus()).AccountMenu);
const OpenThemeMenu = lazyPart(async () => (await loadMenus()).ThemeMenu);

/** The menu of the signed-in user. */
function AccountMenu({ user }: { user: User }) {
  const logOut = useLogOut();
  useGoogleSessionCheck(user, logOut);
  return (
    <MenuButton
      // Contains the visible text of the button, for people who control it by voice.
      label={`Account menu, ${getInitials(user)}`}
      button={<UserPicture user={user} />}
      buttonClass={styles.avatar}
    >
      {(opener) => <OpenAccountMenu user={user} opener={opener} />}
    </MenuButton>
  );
}

/** The menu to choose the light, dark or system theme. */
function ThemeMenu() {
  const { colorScheme } = useMantineColorScheme();
  const Current = themes.find(({ value }) => value === colorScheme)?.Icon ?? Monitor;
  return (
    <MenuButton label="Theme" button={<Current size={18} aria-hidden />}>
      {(opener) => <OpenThemeMenu opener={opener} />}
    </MenuButton>
  );
}
