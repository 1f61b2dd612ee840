import { Link, Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { useSession } from '../accounts/sessions/session.tsx';
import { forgetHandled } from '../early-input.ts';
import { paths } from '../paths.ts';
import { lazyPart } from '../platform/load-part.ts';
import { answerProof, useIsProofAsked } from '../platform/proof.ts';
import { useIdlePart } from '../platform/use-idle-part.ts';
import { LazyDialog } from '../ui/lazy-dialog.tsx';
import { PendingMarker } from '../ui/states.tsx';
import { DemoBanner } from './demo-banner.tsx';
import frame from './frame.module.css';
import { Header } from './header.tsx';
import styles from './layout.module.css';
import { Shortcuts } from './shortcuts.tsx';

const IdentityDialog = lazyPart(() => import('../accounts/accounts/confirm-identity.tsx'), 'IdentityDialog');
const RequiredSecondFactor = lazyPart(
  () => import('../operations/account/required-second-factor.tsx'),
  'RequiredSecondFactor',
);
const AdminNavigation = lazyPart(() => import('./admin-navigation.tsx'), 'AdminNavigation');

/** See `forgetHandled`. */
const handled = {
  onClickCapture: forgetHandled,
  onInputCapture: forgetHandled,
  onChangeCapture: forgetHandled,
  onSubmitCapture: forgetHandled,
};

/** The frame around every screen: header, navigation of admins, main area, footer and keyboard shortcuts. */
export function Layout() {
  const isAdminScreen = useAdminScreen();
  const { pathname } = useLocation();
  const { state } = useSession();
  const hasResults = pathname === paths.domains || pathname === paths.dashboard;
  return (
    <div className={styles.site} data-wide={state !== 'visitor' || undefined} {...handled}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {hasResults && (
        <button type="button" className={styles.skip} onClick={skipToResults}>
          Skip to results
        </button>
      )}
      <DemoBanner />
      <Header />
      <div className={frame.frame} data-admin={isAdminScreen || undefined}>
        {isAdminScreen && (
          <Suspense fallback={<div className={frame.loading} data-waiting />}>
            <AdminNavigation />
          </Suspense>
        )}
        <main id="main" ref={useFocusOnNewScreen()} tabIndex={-1} className={styles.main}>
          <Screen />
        </main>
      </div>
      <Footer />
      <Shortcuts />
      <ProofDialog />
      <Connection />
    </div>
  );
}

/** The screen, or for admins without a second factor that the server requires, the page that turns it on. */
function Screen() {
  const { user } = useSession();
  if (!user?.needsSecondFactor) return <Outlet />;
  return (
    <Suspense fallback={<PendingMarker />}>
      <RequiredSecondFactor />
    </Suspense>
  );
}

/** Asks for a proof of identity on any screen. */
function ProofDialog() {
  const isAsked = useIsProofAsked();
  return <LazyDialog opened={isAsked}>{(opened) => <IdentityDialog opened={opened} onEnd={answerProof} />}</LazyDialog>;
}

/** Whether an admin sees an admin screen. Follows the shown screen, because the URL is already that of the next one. */
function useAdminScreen(): boolean {
  const { user } = useSession();
  const isShown = useMatches({ select: (matches) => matches.at(-1)?.pathname.startsWith(paths.admin) });
  return Boolean(isShown && user?.isAdmin);
}

/** Moves the focus to the first row, or to the list if it has no rows. */
function skipToResults(): void {
  const results = document.getElementById('results');
  (results?.querySelector<HTMLElement>('[data-row]') ?? results)?.focus();
}

const loadConnectionStatus = () => import('./connection-status.tsx');

function Connection() {
  const loaded = useIdlePart(loadConnectionStatus);
  return loaded && loaded !== 'missing' && <loaded.part.ConnectionStatus />;
}

/** Moves the focus to the main area when the screen changes, so that screen readers continue with the new content. */
function useFocusOnNewScreen() {
  const { pathname, search } = useLocation();
  // The screens of the admin panel have one path.
  const screen = pathname === paths.adminPanel && 'tab' in search ? `${pathname} ${search.tab}` : pathname;
  const main = useRef<HTMLElement>(null);
  const before = useRef(screen);
  useEffect(() => {
    if (before.current === screen) return;
    before.current = screen;
    main.current?.focus({ preventScroll: true });
  }, [screen]);
  return main;
}

function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.inside}>
        <span>© {new Date().getUTCFullYear()} Linksieve. All rights reserved.</span>
        <nav aria-label="Footer" className={styles.footerLinks}>
          <Link to={paths.check}>Check a List</Link>
          <Link to={paths.methodology}>Methodology</Link>
          <Link to={paths.updates}>Updates</Link>
          <Link to={paths.extension}>Browser Extension</Link>
          <Link to={paths.privacyPolicy}>Privacy Policy</Link>
          <Link to={paths.termsOfService}>Terms of Service</Link>
          <Link to={paths.accessibility}>Accessibility</Link>
          <Link to={paths.crawler}>Crawler</Link>
          <Link to={paths.contact}>Contact</Link>
          <Link to={paths.apiDocs}>API</Link>
        </nav>
      </div>
    </footer>
  );
}
