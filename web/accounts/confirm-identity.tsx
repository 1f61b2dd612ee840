import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useState, useSyncExternalStore } from 'react';
import { type Reauthentication, reauthenticate, reauthenticateWithGoogle } from '#shared/second-factor.ts';
import { ApiError, call } from '../lib/api.ts';
import { pageState } from '../lib/page-state.ts';
import { loadGoogleSdk, useUser } from '../session/session.tsx';
import { FormDialog } from '../ui/dialogs.tsx';
import { CodeField } from './code-field.tsx';
import { PasswordField } from './password-fields.tsx';
import { accountQuery } from './queries.ts';

/** Ends the question of the open dialog: whether the user has confirmed their identity. */
type Answer = (isConfirmed: boolean) => void;

let answer: Answer | undefined;
const listeners = new Set<() => void>();

function setAnswer(next: Answer | undefined): void {
  answer = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the screen's `ConfirmIdentityDialog`. @returns whether the user has confirmed their identity */
export const askForIdentity = (): Promise<boolean> =>
  new Promise((resolve) => {
    answer?.(false);
    setAnswer(resolve);
  });

/**
 * Sends a request. If the server first needs a proof of identity, asks the user for it and sends the request again. The
 * screen must contain `ConfirmIdentityDialog`.
 */
export async function withProof<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const isMissing = error instanceof ApiError && error.code === 'reauthentication_required';
    if (!isMissing || !(await askForIdentity())) throw error;
    return await send();
  }
}

/** The dialog that `withProof` opens. A screen needs it once. */
export function ConfirmIdentityDialog() {
  const isOpen = useSyncExternalStore(
    subscribe,
    () => answer !== undefined,
    () => false,
  );
  const end = (isConfirmed: boolean) => {
    answer?.(isConfirmed);
    setAnswer(undefined);
  };
  return <IdentityDialog opened={isOpen} onEnd={end} />;
}

function IdentityDialog({ opened, onEnd }: { opened: boolean; onEnd: Answer }) {
  const { username, firebaseUid } = useUser();
  const account = useQuery({ ...accountQuery, enabled: opened });
  const { google } = pageState();
  const [secret, setSecret] = useState('');
  const [error, setError] = useState<string>();
  const { hasPassword = true, secondFactor = null } = account.data ?? {};
  const usesGoogle = !hasPassword && !secondFactor && firebaseUid !== null && google !== null;
  const canConfirm = hasPassword || secondFactor !== null || usesGoogle;

  function end(isConfirmed: boolean): void {
    setSecret('');
    setError(undefined);
    onEnd(isConfirmed);
  }

  const confirm = useMutation({
    mutationFn: async (proof: Reauthentication | 'google') => {
      if (proof !== 'google') return await call(reauthenticate, { body: proof });
      if (!google) throw new Error('Google sign-in is not set up.');
      const idToken = await (await loadGoogleSdk()).getIdTokenByPopup(google);
      await call(reauthenticateWithGoogle, { body: { idToken } });
    },
    onSuccess: () => end(true),
    onError: (cause) =>
      setError(cause instanceof ApiError ? cause.message : 'Google did not confirm it. Please try again.'),
  });

  function submit(): void {
    if (!canConfirm) end(false);
    else if (usesGoogle) confirm.mutate('google');
    else if (secret === '') setError(hasPassword ? 'Please enter your password' : 'Please enter a code');
    else confirm.mutate(hasPassword ? { password: secret } : { code: secret });
  }

  const field = {
    value: secret,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setSecret(event.currentTarget.value);
      setError(undefined);
    },
    error,
    disabled: confirm.isPending,
    'data-autofocus': true,
  };
  return (
    <FormDialog
      opened={opened}
      onClose={() => end(false)}
      onSubmit={submit}
      title="Confirm that it is you"
      submitLabel={usesGoogle ? 'Continue with Google' : canConfirm ? 'Confirm' : 'Close'}
      busy={confirm.isPending}
    >
      <Text size="sm">
        {canConfirm
          ? 'You signed in some time ago. To continue, confirm that it is you.'
          : 'You signed in some time ago. To continue, sign out and sign in again.'}
      </Text>
      {usesGoogle && error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {hasPassword && (
        <>
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <PasswordField label="Your password" autoComplete="current-password" {...field} />
        </>
      )}
      {!hasPassword && secondFactor && <CodeField {...field} />}
    </FormDialog>
  );
}
