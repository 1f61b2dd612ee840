import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Reauthentication, reauthenticate, reauthenticateWithGoogle } from '#shared/accounts/second-factor.ts';
import { ApiError, call } from '../../platform/api.ts';
import { pageState } from '../../platform/page-state.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { accountQuery } from '../sessions/queries.ts';
import { loadGoogleSdk, useUser } from '../sessions/session.tsx';
import { CodeField } from './code-field.tsx';
import { PasswordField } from './password-fields.tsx';

/** Asks for a proof of identity, for `withProof`. */
export function IdentityDialog({ opened, onEnd }: { opened: boolean; onEnd(isConfirmed: boolean): void }) {
  const { username, firebaseUid } = useUser();
  const account = useQuery({ ...accountQuery, enabled: opened });
  const { google } = pageState();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<{ password?: string; code?: string; other?: string }>({});
  const { hasPassword = true, secondFactor = null } = account.data ?? {};
  const usesGoogle = !hasPassword && !secondFactor && firebaseUid !== null && google !== null;
  const canConfirm = hasPassword || secondFactor !== null || usesGoogle;

  function end(isConfirmed: boolean): void {
    setPassword('');
    setCode('');
    setErrors({});
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
    onError: (cause) => {
      if (!(cause instanceof ApiError)) setErrors({ other: 'Google did not confirm your identity. Please try again.' });
      else setErrors(Object.keys(cause.fields).length > 0 ? cause.fields : { other: cause.message });
    },
  });

  function submit(): void {
    if (!canConfirm) end(false);
    else if (usesGoogle) confirm.mutate('google');
    else {
      const missing = {
        ...(hasPassword && password === '' && { password: 'Please enter your password' }),
        ...(secondFactor && code.trim() === '' && { code: 'Please enter a code' }),
      };
      setErrors(missing);
      if (Object.keys(missing).length > 0) return;
      confirm.mutate({ ...(hasPassword && { password }), ...(secondFactor && { code }) });
    }
  }

  return (
    <FormDialog
      opened={opened}
      onClose={() => end(false)}
      onSubmit={submit}
      title="Confirm that it is you"
      isOnTop
      submitLabel={usesGoogle ? 'Continue with Google' : canConfirm ? 'Confirm' : 'Close'}
      busy={confirm.isPending}
    >
      <Text size="sm">
        {canConfirm
          ? 'You signed in some time ago. To continue, confirm that it is you.'
          : 'You signed in some time ago. To continue, sign out and sign in again.'}
      </Text>
      {hasPassword && (
        <>
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setErrors({ ...errors, password: undefined });
            }}
            error={errors.password}
            disabled={confirm.isPending}
            data-autofocus
          />
        </>
      )}
      {secondFactor && (
        <CodeField
          label="6-digit code or recovery code"
          inputMode="text"
          maxLength={32}
          value={code}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setErrors({ ...errors, code: undefined });
          }}
          error={errors.code}
          disabled={confirm.isPending}
          {...(!hasPassword && { 'data-autofocus': true })}
        />
      )}
      <FormError error={errors.other === undefined ? undefined : { message: errors.other }} />
    </FormDialog>
  );
}
