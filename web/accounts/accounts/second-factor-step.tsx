import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import type { User } from '#shared/accounts/accounts.ts';
import { logInWithSecondFactor, rememberedDays } from '#shared/accounts/second-factor.ts';
import { ApiError, call } from '../../platform/api.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toastError } from '../../ui/toast.tsx';
import { AuthFrame } from './auth-frame.tsx';
import styles from './auth-page.module.css';
import { CodeField, RecoveryCodeField } from './code-field.tsx';

/** The challenge of a sign-in that needs a second factor. Undefined for any other error. */
export function findChallenge(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required') return undefined;
  return String(error.body.challenge);
}

interface SecondFactorStepProps {
  challenge: string;
  onSignedIn(user: User): void;
  onCancel(): void;
}

/** The second step of a sign-in: asks for a one-time code or a recovery code. */
export function SecondFactorStep({ challenge, onSignedIn, onCancel }: SecondFactorStepProps) {
  useTitle('Two-factor authentication');
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  const [code, setCode] = useState('');
  const [rememberDevice, setRememberDevice] = useState(false);
  const [error, setError] = useState<{ message: string; isAboutCode: boolean }>();
  const signIn = useMutation({
    mutationFn: () => call(logInWithSecondFactor, { body: { challenge, code, rememberDevice } }),
    onSuccess: onSignedIn,
    onError: (cause) => {
      const fieldError = cause instanceof ApiError ? cause.fields.code : undefined;
      setError({ message: fieldError ?? cause.message, isAboutCode: fieldError !== undefined });
      toastError('Sign in failed', fieldError ?? cause.message);
    },
  });

  function change(next: string): void {
    setCode(next);
    setError(undefined);
  }

  const Field = usesRecoveryCode ? RecoveryCodeField : CodeField;
  return (
    <AuthFrame
      title="Two-factor authentication"
      description={
        usesRecoveryCode
          ? 'Enter one of the recovery codes that you saved. Each works once.'
          : 'Enter the code that your authenticator app shows for Linksieve.'
      }
    >
      <form
        noValidate
        className={styles.alone}
        onSubmit={(event) => {
          event.preventDefault();
          if (signIn.isPending || signIn.isSuccess) return;
          if (code.trim() === '') setError({ message: 'Please enter a code', isAboutCode: true });
          else signIn.mutate();
        }}
      >
        <Stack gap="md">
          <Field
            // Another field must get the focus when the user chooses the other kind of code.
            key={String(usesRecoveryCode)}
            size="md"
            autoFocus
            value={code}
            onChange={(event: ChangeEvent<HTMLInputElement>) => change(event.currentTarget.value)}
            error={error?.isAboutCode && error.message}
          />
          <Checkbox
            label={`Remember this device for ${rememberedDays} days`}
            checked={rememberDevice}
            onChange={(event) => setRememberDevice(event.currentTarget.checked)}
          />
          <FormError error={error?.isAboutCode ? undefined : error} />
          <Button type="submit" fullWidth size="md" loading={signIn.isPending || signIn.isSuccess}>
            Sign in
          </Button>
          <Button
            variant="default"
            fullWidth
            onClick={() => {
              change('');
              setUsesRecoveryCode(!usesRecoveryCode);
            }}
          >
            {usesRecoveryCode ? 'Use my authenticator app' : 'Use a recovery code'}
          </Button>
          <Button variant="subtle" fullWidth onClick={onCancel}>
            Back to sign in
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
