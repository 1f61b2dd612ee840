import type { UseFormReturnType } from '@mantine/form';
import { passwordLimits } from '#shared/accounts.ts';
import { Hint } from './hint.tsx';
import { PasswordField } from './password-field.tsx';

interface Props<Values> {
  form: UseFormReturnType<Values>;
  /** Its field for the new password; the one that repeats it is `passwordConfirm`. */
  name: keyof Values & string;
  label: string;
  confirmLabel: string;
  /** What else the fields carry: their size, whether they have to be filled in. */
  look?: { size?: 'md'; required?: boolean; withAsterisk?: boolean };
}

/** A new password, typed twice: whether it is long enough, and whether the two are the same, while it is typed. */
export function NewPasswordFields<Values extends { passwordConfirm: string }>(props: Props<Values>) {
  const { form, name, label, confirmLabel, look } = props;
  const password = String(form.values[name]);
  const { passwordConfirm } = form.values;
  return (
    <>
      <div>
        <PasswordField
          label={label}
          autoComplete="new-password"
          {...look}
          key={form.key(name)}
          {...form.getInputProps(name)}
        />
        <Hint good={password.length >= passwordLimits.min}>At least {passwordLimits.min} characters</Hint>
      </div>
      <div>
        <PasswordField
          label={confirmLabel}
          autoComplete="new-password"
          {...look}
          key={form.key('passwordConfirm')}
          {...form.getInputProps('passwordConfirm')}
        />
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
