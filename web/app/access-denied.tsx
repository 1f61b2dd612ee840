import { useNavigate } from '@tanstack/react-router';
import { ShieldX } from 'lucide-react';
import { useEffect } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import classes from './notice.module.css';

/** Milliseconds for reading why, before the home page comes. */
const leaveAfter = 5000;

/** What a signed-in person without the admin role sees on an admin screen. */
export function AccessDenied() {
  useTitle('Access Denied');
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: paths.home, replace: true }), leaveAfter);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <div className={classes.notice} data-centered>
      <ShieldX size={36} strokeWidth={1.5} aria-hidden />
      <h1>Access Denied</h1>
      <p>This page is for administrators. You will be taken to the home page.</p>
      <ButtonLink to={paths.home} replace>
        Go there now
      </ButtonLink>
    </div>
  );
}
