import { Link, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon, ShieldCheck, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Brand } from './brand.tsx';
import classes from './header.module.css';
import { Navigation } from './navigation.tsx';
import { ThemeMenu } from './theme-menu.tsx';

/** The bar on top of every screen. Where it is too narrow for all links they move behind a button. */
export function Header() {
  const { state, user } = useSession();
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes the menu
  useEffect(() => setOpen(false), [pathname]);

  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      toggle.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);

  return (
    <header className={classes.header} data-signed-in={user ? '' : undefined}>
      <div className={classes.bar}>
        <Brand />
        <div className={classes.wide}>
          <Navigation />
        </div>
        <div className={classes.side}>
          {user?.isAdmin && (
            <Link to={paths.adminPanel} className={classes.badge}>
              <ShieldCheck size={14} aria-hidden />
              Admin Panel
            </Link>
          )}
          <ThemeMenu />
          {user && <AccountMenu user={user} />}
          {state === 'nobody' && (
            <div className={classes.visitor} data-visitor>
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
            className={classes.toggle}
            aria-label={open ? 'Close menu' : 'Open menu'}
            aria-expanded={open}
            aria-controls="mobile-menu"
            onClick={() => setOpen(!open)}
          >
            {open ? <X size={20} aria-hidden /> : <MenuIcon size={20} aria-hidden />}
          </button>
        </div>
      </div>
      <div id="mobile-menu" className={classes.panel} hidden={!open}>
        <Navigation label="Main, small screen" />
        {state === 'nobody' && (
          <div className={classes.panelButtons} data-visitor>
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
