import { useNavigate } from '@tanstack/react-router';
import { ShieldX } from 'lucide-react';
import { useEffect } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button.tsx';
import classes from './stand-ins.module.css';

/** Milliseconds to read the refusal before the home page opens. */
const leaveAfter = 5000;

/** What a signed-in person without the admin role sees on an admin screen. */
export function AccessDenied() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: paths.home, replace: true }), leaveAfter);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Refused title="Access Denied" link="Go there now">
      This page is for administrators. You will be taken to the home page.
    </Refused>
  );
}

/** What a signed-in person without the admin role sees in place of the inbox. */
export function Unauthorized() {
  return (
    <Refused title="Unauthorized" link="Go to the home page">
      You do not have permission to view this page.
    </Refused>
  );
}

/** @param link leads to the home page */
function Refused({ title, link, children }: { title: string; link: string; children: string }) {
  useTitle(title);
  return (
    <div className={classes.notice} data-centered>
      <ShieldX size={36} strokeWidth={1.5} aria-hidden />
      <h1>{title}</h1>
      <p>{children}</p>
      <ButtonLink to={paths.home} replace>
        {link}
      </ButtonLink>
    </div>
  );
}
