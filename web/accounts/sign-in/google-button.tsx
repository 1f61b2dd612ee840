import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { User } from '#shared/accounts.ts';
import { linkGoogle } from '#shared/google-sign-in.ts';
import type { GoogleSettings } from '#shared/pages.ts';
import { ApiError, call, logWarning } from '../../lib/api.ts';
import { pageState } from '../../lib/page-state.ts';
import { paths } from '../../paths.ts';
import { loadGoogleSdk } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { toastError } from '../../ui/toast.tsx';
import { PasswordField } from '../password-fields.tsx';
import type { Welcome } from './auth-frame.tsx';
import classes from './auth-page.module.css';
import { messageOf, useGoogleSignIn } from './google-sign-in.ts';

/** Sign-in with Google. Where the server has no settings for it, the button is disabled and says why. */
export function GoogleButton({ welcome }: { welcome: Welcome }) {
  const { google } = pageState();
  return google ? <Working settings={google} welcome={welcome} /> : <NotSetUp />;
}

function Working({ settings, welcome }: { settings: GoogleSettings; welcome: Welcome }) {
  const { start, isBusy, message, isCancelled, idTokenToJoin, onSignedIn, stopJoining } = useGoogleSignIn(
    settings,
    welcome,
  );
  const messageId = useId();
  return (
    <>
      <Button
        {...look}
        loading={isBusy}
        onClick={start}
        onPointerEnter={preload}
        onFocus={preload}
        {...(message && { 'aria-describedby': messageId })}
      >
        Continue with Google
      </Button>
      <p id={messageId} className={classes.reason} data-bad={(message && !isCancelled) || undefined} role="status">
        {message}
      </p>
      {idTokenToJoin && <JoinGoogleDialog idToken={idTokenToJoin} onJoined={onSignedIn} onClose={stopJoining} />}
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

/** Browsers block a window that opens long after the click, so the library is loaded before it. */
function preload(): void {
  loadGoogleSdk().catch((error: unknown) => logWarning('Preparing to sign in with Google failed', error));
}

function GoogleMark() {
  return (
    <svg width="16" height="16" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M12 10.3v3.6h5.1c-.5 2.4-2.5 3.8-5.1 3.8a5.7 5.7 0 1 1 3.7-10l2.7-2.7A9.5 9.5 0 1 0 12 21.5c5.5 0 9.3-3.9 9.3-9.3 0-.6-.1-1.3-.2-1.9z" />
    </svg>
  );
}

const look = { variant: 'default', fullWidth: true, size: 'md', leftSection: <GoogleMark /> } as const;

interface JoinGoogleDialogProps {
  idToken: string;
  onJoined(user: User): void;
  onClose(): void;
}

/** Asks once for the password of the account that has the same address: the address alone proves nothing. */
function JoinGoogleDialog({ idToken, onJoined, onClose }: JoinGoogleDialogProps) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const join = useMutation({
    mutationFn: () => call(linkGoogle, { body: { idToken, password } }),
    onSuccess: onJoined,
    onError: (cause) => {
      const message = (cause instanceof ApiError && cause.fields.password) || messageOf(cause);
      toastError('Sign in failed', message);
      // Google's token has expired, or there is nothing to join: only a new sign-in helps.
      if (cause instanceof ApiError && (cause.status === 401 || cause.status === 409)) onClose();
      else setError(message);
    },
  });
  return (
    <FormDialog
      opened
      onClose={onClose}
      onSubmit={() => (password === '' ? setError('Please enter your password') : join.mutate())}
      title="You already have an account"
      submitLabel="Sign in and join"
      busy={join.isPending || join.isSuccess}
    >
      <Text size="sm">
        There is an account with this email address, with a password. Enter that password once, and you can sign in with
        Google from now on. The password keeps working.
      </Text>
      <Text size="sm">
        You do not know it, or the account is not yours? Ask for{' '}
        <TextLink to={paths.auth} search={{ tab: 'forgot' }} onClick={onClose} size="sm">
          a new password
        </TextLink>{' '}
        first: only who reads this address gets one.
      </Text>
      <PasswordField
        label="Password of your account"
        autoComplete="current-password"
        value={password}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setError(undefined);
        }}
        error={error}
        disabled={join.isPending}
        data-autofocus
      />
    </FormDialog>
  );
}
