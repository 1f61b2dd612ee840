import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { paths } from '../paths.ts';
import { Header } from './header.tsx';
import classes from './layout.module.css';
import { Shortcuts } from './shortcuts.tsx';

/** The frame around every screen: header, main area, footer and keyboard shortcuts. */
export function Layout() {
  return (
    <div className={classes.site}>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <Header />
      <main id="main" ref={useFocusOnNewScreen()} tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <Footer />
      <Shortcuts />
    </div>
  );
}

/** Moves the focus to the main area when the screen changes, so that screen readers continue with the new content. */
function useFocusOnNewScreen() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

function Footer() {
  return (
    <footer className={classes.footer}>
      <div className={classes.inside}>
        <span>© {new Date().getFullYear()} Linksieve. All rights reserved.</span>
        <nav aria-label="Footer" className={classes.footerLinks}>
          <Link to={paths.methodology}>Methodology</Link>
          <Link to={paths.updates}>Updates</Link>
          <Link to={paths.privacyPolicy}>Privacy Policy</Link>
          <Link to={paths.termsOfService}>Terms of Service</Link>
          <Link to={paths.contact}>Contact</Link>
          <Link to={paths.apiDocs}>API</Link>
        </nav>
      </div>
    </footer>
  );
}
