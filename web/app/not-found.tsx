import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { BySession } from '../session/session.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import classes from './not-found.module.css';

/** What stands at an address where nothing is. */
export function NotFound() {
  useTitle('404 Page Not Found');
  return (
    <div className={classes.page}>
      <h1>404 Page Not Found</h1>
      <p>There is nothing at this address. It may have moved, or the link has a typing error.</p>
      <div className={classes.links}>
        <ButtonLink to={paths.home}>Home</ButtonLink>
        <ButtonLink to={paths.dashboard} variant="default">
          Blacklist
        </ButtonLink>
        <ButtonLink to={paths.riskAssessment} variant="default">
          Risk Assessment
        </ButtonLink>
        <ButtonLink to={paths.features} variant="default">
          Features
        </ButtonLink>
        <ButtonLink to={paths.contact} variant="default">
          Contact
        </ButtonLink>
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
