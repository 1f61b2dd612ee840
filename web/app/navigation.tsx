import { Link, useLocation } from '@tanstack/react-router';
import type { User } from '#shared/accounts.ts';
import { paths } from '../paths.ts';
import classes from './header.module.css';

/** The links of the header: what the person may use. */
export function Navigation({ user, label = 'Main' }: { user: User | undefined; label?: string }) {
  const { pathname } = useLocation();
  const current = (here: boolean) => (here ? ('page' as const) : undefined);
  if (!user) return null;
  return (
    <nav aria-label={label} className={classes.links}>
      <Link
        to={paths.dashboard}
        className={classes.link}
        aria-current={current(pathname === paths.dashboard || pathname === paths.domains)}
      >
        Blacklist
      </Link>
      <Link
        to={paths.riskAssessment}
        className={classes.link}
        aria-current={current(pathname === paths.riskAssessment)}
      >
        Risk Assessment
      </Link>
      {user.isAdmin && (
        <Link
          to={paths.adminPanel}
          className={`${classes.link} ${classes.narrowOnly}`}
          aria-current={current(pathname === paths.adminPanel)}
        >
          Admin Panel
        </Link>
      )}
    </nav>
  );
}
