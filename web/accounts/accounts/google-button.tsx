import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { User } from '#shared/accounts/accounts.ts';
import { linkGoogle } from '#shared/accounts/google-sign-in.ts';
import type { GoogleSettings } from '#shared/pages.ts';
import { paths } from '../../paths.ts';
import { ApiError, call, logWarning } from '../../platform/api.ts';
import { pageState } from '../../platform/page-state.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { toastError } from '../../ui/toast.tsx';
import { loadGoogleSdk } from '../sessions/session.tsx';
import type { Welcome } from './auth-frame.tsx';
import styles from './auth-page.module.css';
import { messageOf, useGoogleSignIn } from './google-sign-in.ts';
import { PasswordField } from './password-fields.tsx';
import { findChallenge } from './second-factor-step.tsx';

interface GoogleButtonProps {
  welcome: Welcome;
  /** The account needs a second factor. */
  onChallenge(challenge: string): void;
}

/** The button to sign in with Google. Disabled, with a reason, if the server has no settings for it. */
export function GoogleButton(props: GoogleButtonProps) {
  const { google } = pageState();
  return google ? <ActiveGoogleButton settings={google} {...props} /> : <DisabledGoogleButton />;
}

function ActiveGoogleButton({ settings, welcome, onChallenge }: GoogleButtonProps & { settings: GoogleSettings }) {
  const { start, isBusy, message, isCancelled, idTokenToLink, onSignedIn, cancelLinking } = useGoogleSignIn(
    settings,
    welcome,
    onChallenge,
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
      <p id={messageId} className={styles.reason} data-bad={(message && !isCancelled) || undefined} role="status">
        {message}
      </p>
      {idTokenToLink && (
        <LinkGoogleDialog
          idToken={idTokenToLink}
          onLinked={onSignedIn}
          onChallenge={onChallenge}
          onClose={cancelLinking}
        />
      )}
    </>
  );
}

function DisabledGoogleButton() {
  const reason = useId();
  return (
    <>
      <Button {...look} disabled aria-describedby={reason}>
        Continue with Google
      </Button>
      <p id={reason} className={styles.reason}>
        Signing in with Google is not set up on this server.
      </p>
    </>
  );
}

/** Loads the library before the click, because browsers block windows that open long after a click. */
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

interface LinkGoogleDialogProps {
  idToken: string;
  onLinked(user: User): void;
  onChallenge(challenge: string): void;
  onClose(): void;
}

/** Links the account with the same email address to Google, after asking for its password as proof of ownership. */
function LinkGoogleDialog({ idToken, onLinked, onChallenge, onClose }: LinkGoogleDialogProps) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const link = useMutation({
    mutationFn: () => call(linkGoogle, { body: { idToken, password } }),
    onSuccess: onLinked,
    onError: (cause) => {
      const challenge = findChallenge(cause);
      if (challenge !== undefined) return onChallenge(challenge);
      const message = (cause instanceof ApiError && cause.fields.password) || messageOf(cause);
      toastError('Sign in failed', message);
      // Google's token has expired, or there is no account to link: the user must sign in with Google again.
      if (cause instanceof ApiError && (cause.status === 401 || cause.status === 409)) onClose();
      else setError(message);
    },
  });
  return (
    <FormDialog
      opened
      onClose={onClose}
      onSubmit={() => (password === '' ? setError('Please enter your password') : link.mutate())}
      title="You already have an account"
      submitLabel="Sign in and link"
      busy={link.isPending || link.isSuccess}
    >
      <Text size="sm">
        An account with this email address and a password already exists. Enter its password once to link the account to
        Google. After that, you can sign in with either.
      </Text>
      <Text size="sm">
        Forgot the password, or the account is not yours? Request{' '}
        <TextLink to={paths.auth} search={{ tab: 'forgot' }} onClick={onClose} size="sm">
          a new password
        </TextLink>{' '}
        first. Only the owner of this email address can get one.
      </Text>
      <PasswordField
        label="Account password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setError(undefined);
        }}
        error={error}
        disabled={link.isPending}
        data-autofocus
      />
    </FormDialog>
  );
}
