import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Check } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { passwordLimits } from '#shared/accounts/accounts.ts';
import styles from './password-fields.module.css';

/** A password field with a button to show the password and a hint while Caps Lock is on. */
export function PasswordField(props: PasswordInputProps) {
  const [capsLock, setCapsLock] = useState(false);
  const [visible, setVisible] = useState(false);
  const updateCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div>
      <PasswordInput
        {...props}
        onKeyDown={updateCapsLock}
        onKeyUp={updateCapsLock}
        onBlur={(event) => {
          setCapsLock(false);
          props.onBlur?.(event);
        }}
        visible={visible}
        onVisibilityChange={setVisible}
        visibilityToggleButtonProps={{
          'aria-label': visible ? 'Hide password' : 'Show password',
          'aria-hidden': false,
          tabIndex: 0,
        }}
      />
      {capsLock && (
        <p className={styles.hint} role="status">
          Caps Lock is on.
        </p>
      )}
    </div>
  );
}

interface NewPasswordFieldsProps<Values> {
  form: UseFormReturnType<Values>;
  /** The form field of the new password. The field `passwordConfirm` repeats it. */
  name: keyof Values & string;
  label: string;
  look?: { size?: 'md'; required?: boolean; withAsterisk?: boolean };
}

/** Two fields for a new password. Hints show whether it is long enough and whether both match. */
export function NewPasswordFields<Values extends { passwordConfirm: string }>({
  form,
  name,
  label,
  look,
}: NewPasswordFieldsProps<Values>) {
  const password = String(form.values[name]);
  const { passwordConfirm } = form.values;
  const field = { autoComplete: 'new-password', ...look };
  return (
    <>
      <div>
        <PasswordField label={label} {...field} {...form.getInputProps(name)} />
        <Hint good={password.length >= passwordLimits.min}>At least {passwordLimits.min} characters</Hint>
      </div>
      <div>
        <PasswordField label={`Confirm ${label.toLowerCase()}`} {...field} {...form.getInputProps('passwordConfirm')} />
        <div role="status">
          {passwordConfirm !== '' && !form.errors.passwordConfirm && (
            <Hint good={password === passwordConfirm}>
              {password === passwordConfirm ? 'Passwords match' : 'Passwords do not match'}
            </Hint>
          )}
        </div>
      </div>
    </>
  );
}

function Hint({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <p className={styles.hint} data-good={good}>
      {good && <Check size={14} aria-hidden />}
      {children}
    </p>
  );
}

/** The schema check that `passwordConfirm` equals the field `name`, for forms with `NewPasswordFields`. */
export function confirmsPassword<Name extends string>(name: Name) {
  return z.refine<Record<Name | 'passwordConfirm', string>>((values) => values[name] === values.passwordConfirm, {
    path: ['passwordConfirm'],
    error: 'Passwords do not match',
    when: () => true,
  });
}
