import { Link, useLocation } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.tsx';
import classes from './header.module.css';

type Path = (typeof paths)[keyof typeof paths];

/** The links of the header: the screens that the person may use, then the public pages. */
export function Navigation({ label = 'Main' }: { label?: string }) {
  const { state, user } = useSession();
  // The person's own links stand first: the public ones wait, so that they need not move.
  if (state === 'loading') return null;
  return (
    <nav aria-label={label} className={classes.links} data-visitor={user ? undefined : ''}>
      {user && (
        <>
          <NavigationLink to={paths.dashboard} also={paths.domains} words="Blacklist" />
          <NavigationLink to={paths.riskAssessment} words="Risk Assessment" />
          <NavigationLink to={paths.submitSites} words="Submit Sites" />
          {user.isAdmin && <NavigationLink to={paths.adminPanel} words="Admin Panel" kind={classes.panelOnly} />}
        </>
      )}
      <NavigationLink to={paths.features} words="Features" kind={classes.open} />
      <NavigationLink to={paths.useCases} words="Use Cases" kind={classes.open} />
      <NavigationLink to={paths.about} words="About" kind={classes.open} />
    </nav>
  );
}

/** @param also another address of the same screen */
function NavigationLink({
  to,
  also,
  words,
  kind = '',
}: {
  to: Path;
  also?: Path;
  words: string;
  kind?: string | undefined;
}) {
  const { pathname } = useLocation();
  const here = pathname === to || pathname === also;
  return (
    <Link to={to} className={`${classes.link} ${kind}`} aria-current={here ? 'page' : undefined}>
      {words}
    </Link>
  );
}
