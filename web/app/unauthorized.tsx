import { ShieldX } from 'lucide-react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import classes from './notice.module.css';

/** What a signed-in person without the admin role sees in place of the inbox. */
export function Unauthorized() {
  useTitle('Unauthorized');
  return (
    <div className={classes.notice} data-centered>
      <ShieldX size={36} strokeWidth={1.5} aria-hidden />
      <h1>Unauthorized</h1>
      <p>You do not have permission to view this page.</p>
      <ButtonLink to={paths.home} replace>
        Go to the home page
      </ButtonLink>
    </div>
  );
}
