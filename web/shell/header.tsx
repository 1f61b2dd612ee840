import { Link, useLocation } from '@tanstack/react-router';
import { Check, Menu as MenuIcon, ShieldCheck } from 'lucide-react';
import { useEffect } from 'react';
import { getInitials, type User } from '#shared/accounts/accounts.ts';
import { UserPicture, useGoogleSessionCheck, useLogOut, useSession } from '../accounts/sessions/session.tsx';
import { paths } from '../paths.ts';
import { lazyPart } from '../platform/load-part.ts';
import { useIdlePart } from '../platform/use-idle-part.ts';
import { ButtonLink } from '../ui/button.tsx';
import buttons from '../ui/menu-button.module.css';
import { MenuButton } from '../ui/menu-button.tsx';
import styles from './header.module.css';
import { themes } from './themes.ts';

/** The bar at the top of every screen. On narrow screens the links move into a menu behind a button. */
export function Header() {
  const { state, user } = useSession();
  const { pathname } = useLocation();
  useIdlePart(loadMenus);
  const bell = useIdlePart(loadBell);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes the menu
  useEffect(() => document.getElementById('mobile-menu')?.hidePopover(), [pathname]);

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
            <div className={styles.visitor}>
              <ButtonLink to={paths.auth} variant="subtle" size="xs">
                Sign In
              </ButtonLink>
              <ButtonLink to={paths.auth} search={{ tab: 'register' }} size="xs">
                Get Free Access
              </ButtonLink>
            </div>
          )}
          <button type="button" className={styles.toggle} popoverTarget="mobile-menu" aria-label="Menu">
            <MenuIcon size={20} aria-hidden />
          </button>
        </div>
      </div>
      <div id="mobile-menu" popover="auto" className={styles.panel}>
        <Navigation label="Main, small screen" />
        {state === 'visitor' && (
          <div className={styles.panelButtons}>
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
    <nav aria-label={label} className={styles.links}>
      {user && (
        <>
          <NavigationLink to={paths.dashboard} alias={paths.domains} label="Blacklist" />
          <NavigationLink to={paths.riskAssessment} label="Risk Assessment" />
          <NavigationLink to={paths.submitSites} label="Submit Sites" />
          <NavigationLink to={paths.alerts} label="Alerts" className={styles.panelOnly} />
          {user.isAdmin && <NavigationLink to={paths.adminPanel} label="Admin Panel" className={styles.panelOnly} />}
        </>
      )}
      {!user && <NavigationLink to={paths.check} label="Check" className={styles.open} />}
      <NavigationLink to={paths.features} label="Features" className={styles.open} />
      <NavigationLink to={paths.useCases} label="Use Cases" className={styles.open} />
      <NavigationLink to={paths.about} label="About" className={styles.open} />
      {!user && (
        <>
          <NavigationLink to={paths.extension} label="Extension" className={styles.more} />
          <NavigationLink to={paths.apiDocs} label="API" className={styles.more} />
        </>
      )}
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
const OpenAccountMenu = lazyPart(loadMenus, 'AccountMenu');

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

/** The menu to choose the light, dark or system theme. It works without the app: see public/first-paint.js. */
function ThemeMenu() {
  return (
    <>
      <button type="button" className={buttons.button} popoverTarget="theme-menu" aria-label="Theme" title="Theme">
        {themes.map(({ value, Icon }) => (
          <Icon key={value} size={18} aria-hidden data-theme-mark={value} />
        ))}
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a popover in all browsers */}
      <div id="theme-menu" popover="auto" role="group" aria-label="Theme" className={styles.themeMenu}>
        {themes.map(({ value, label, Icon }) => (
          <button key={value} type="button" data-theme-choice={value} className={styles.themeItem}>
            <Icon size={16} aria-hidden />
            {label}
            <Check size={16} aria-hidden data-theme-mark={value} className={styles.chosen} />
          </button>
        ))}
      </div>
    </>
  );
}
