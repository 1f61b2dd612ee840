import { useMatches, useNavigate } from '@tanstack/react-router';
import { ShieldX } from 'lucide-react';
import { useEffect } from 'react';
import { paths } from '../paths.ts';
import { useTitle } from '../platform/use-title.ts';
import { ButtonLink } from '../ui/button.tsx';
import styles from './fallback-screens.module.css';

/** How long the message is shown before the home page opens, in milliseconds. */
const redirectDelayMs = 5000;

/** Shown on admin screens to users who are not admins. The inbox has its own message. */
export function Refusal() {
  const isInbox = useMatches({ select: (matches) => matches.at(-1)?.pathname === paths.adminInbox });
  return isInbox ? <Unauthorized /> : <AccessDenied />;
}

function AccessDenied() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: paths.home, replace: true }), redirectDelayMs);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Refused title="Access Denied" link="Go there now">
      This page is only for admins. You will be redirected to the home page.
    </Refused>
  );
}

function Unauthorized() {
  return (
    <Refused title="Unauthorized" link="Go to the home page">
      You do not have permission to view this page.
    </Refused>
  );
}

/** @param link the text of the link to the home page */
function Refused({ title, link, children }: { title: string; link: string; children: string }) {
  useTitle(title);
  return (
    <div className={styles.notice} data-centered>
      <ShieldX size={36} strokeWidth={1.5} aria-hidden />
      <h1>{title}</h1>
      <p>{children}</p>
      <ButtonLink to={paths.home} replace>
        {link}
      </ButtonLink>
    </div>
  );
}
