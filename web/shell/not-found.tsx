import { BySession } from '../accounts/sessions/session.tsx';
import { paths } from '../paths.ts';
import { describePage } from '../platform/page-state.ts';
import { useTitle } from '../platform/use-title.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Mesh } from '../ui/mesh.tsx';
import styles from './not-found.module.css';

const suggestions = [
  [paths.dashboard, 'Blacklist'],
  [paths.riskAssessment, 'Risk Assessment'],
  [paths.features, 'Features'],
  [paths.contact, 'Contact'],
] as const;

/** The screen for URLs that do not exist. */
export function NotFound() {
  useTitle('404 Page Not Found');
  describePage({ status: 404, description: undefined });
  return (
    <div className={styles.page}>
      <Mesh width={560} height={154} className={styles.mesh} />
      <h1>404 Page Not Found</h1>
      <p>This page does not exist. It may have moved, or the link may contain a typo.</p>
      <div className={styles.links}>
        <ButtonLink to={paths.home}>Home</ButtonLink>
        {suggestions.map(([to, label]) => (
          <ButtonLink key={to} to={to} variant="default">
            {label}
          </ButtonLink>
        ))}
        <BySession
          visitor={
            <ButtonLink to={paths.auth} variant="default">
              Sign In
            </ButtonLink>
          }
          user={
            <ButtonLink to={paths.account} variant="default">
              My Account
            </ButtonLink>
          }
        />
      </div>
    </div>
  );
}
