import { Button } from '@mantine/core';
import { useId } from 'react';
import classes from './auth-page.module.css';

/** Sign-in with Google; it cannot be used while the server knows no identity provider, and says so. */
export function GoogleButton() {
  const reason = useId();
  return (
    <>
      <Button variant="default" fullWidth size="md" disabled aria-describedby={reason} leftSection={<GoogleMark />}>
        Continue with Google
      </Button>
      <p id={reason} className={classes.reason}>
        Signing in with Google is not set up on this server.
      </p>
    </>
  );
}

function GoogleMark() {
  return (
    <svg width="16" height="16" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M12 10.3v3.6h5.1c-.5 2.4-2.5 3.8-5.1 3.8a5.7 5.7 0 1 1 3.7-10l2.7-2.7A9.5 9.5 0 1 0 12 21.5c5.5 0 9.3-3.9 9.3-9.3 0-.6-.1-1.3-.2-1.9z" />
    </svg>
  );
}
