import { useId } from 'react';
import type { GoogleSettings } from '#shared/pages.ts';
import { warn } from '../lib/api.ts';
import { pageState } from '../lib/page-state.ts';
import { loadGoogle } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import classes from './auth-page.module.css';
import { JoinGoogleDialog } from './join-google-dialog.tsx';
import { useGoogleSignIn } from './use-google-sign-in.ts';

/** Sign-in with Google; it cannot be used while the server knows no identity provider, and says so. */
export function GoogleButton({ onSignedIn }: { onSignedIn: () => void }) {
  const { google } = pageState();
  return google ? <Working settings={google} onSignedIn={onSignedIn} /> : <NotSetUp />;
}

function Working({ settings, onSignedIn }: { settings: GoogleSettings; onSignedIn: () => void }) {
  const { start, isBusy, sentence, isQuiet, idTokenToJoin, welcome, stopJoining } = useGoogleSignIn(
    settings,
    onSignedIn,
  );
  const said = useId();
  return (
    <>
      <Button
        {...look}
        loading={isBusy}
        onClick={start}
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        {...(sentence && { 'aria-describedby': said })}
      >
        Continue with Google
      </Button>
      <p id={said} className={classes.reason} data-bad={(sentence && !isQuiet) || undefined} role="status">
        {sentence}
      </p>
      {idTokenToJoin && <JoinGoogleDialog idToken={idTokenToJoin} onJoined={welcome} onClose={stopJoining} />}
    </>
  );
}

function NotSetUp() {
  const reason = useId();
  return (
    <>
      <Button {...look} disabled aria-describedby={reason}>
        Continue with Google
      </Button>
      <p id={reason} className={classes.reason}>
        Signing in with Google is not set up on this server.
      </p>
    </>
  );
}

/** Browsers block a window that opens long after the press: the library is there before. */
function fetchAhead(): void {
  loadGoogle().catch((error: unknown) => warn('Preparing to sign in with Google failed', error));
}

function GoogleMark() {
  return (
    <svg width="16" height="16" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M12 10.3v3.6h5.1c-.5 2.4-2.5 3.8-5.1 3.8a5.7 5.7 0 1 1 3.7-10l2.7-2.7A9.5 9.5 0 1 0 12 21.5c5.5 0 9.3-3.9 9.3-9.3 0-.6-.1-1.3-.2-1.9z" />
    </svg>
  );
}

const look = { variant: 'default', fullWidth: true, size: 'md', leftSection: <GoogleMark /> } as const;
