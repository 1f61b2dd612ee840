import { Button, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { passwordLimits } from '#shared/accounts.ts';
import { toast } from '../ui/toast.tsx';
import classes from './auth-page.module.css';
import { PasswordField } from './password-field.tsx';
import { RegistrationValues } from './registration-values.ts';
import { useRegister } from './use-register.ts';

export function RegisterForm({ onSignedIn }: { onSignedIn: () => void }) {
  const form = useForm({
    initialValues: { email: '', username: '', displayName: '', password: '', passwordConfirm: '' },
    validate: schemaResolver(RegistrationValues, { sync: true }),
  });
  const register = useRegister(onSignedIn, (fields) => {
    form.setErrors(fields);
    form.getInputNode(Object.keys(fields)[0] ?? 'email')?.focus();
  });
  const { email, username, password, passwordConfirm } = form.values;

  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        ({ passwordConfirm: _, ...values }) => register.mutate(values),
        (errors) => {
          form.getInputNode(Object.keys(errors)[0] ?? 'email')?.focus();
          if (!email.trim() || !username.trim() || !password) return refuse('Please fill in all required fields');
          if (password !== passwordConfirm) {
            return toast({
              title: 'Password Mismatch',
              description: 'The two passwords are not the same.',
              tone: 'destructive',
            });
          }
          refuse(String(Object.values(errors)[0]));
        },
      )}
    >
      <Stack gap="md">
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          size="md"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <TextInput
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          size="md"
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <TextInput
          label="Display name (optional)"
          autoComplete="name"
          size="md"
          key={form.key('displayName')}
          {...form.getInputProps('displayName')}
        />
        <div>
          <PasswordField
            label="Password"
            autoComplete="new-password"
            required
            size="md"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Hint good={password.length >= passwordLimits.least}>At least {passwordLimits.least} characters</Hint>
        </div>
        <div>
          <PasswordField
            label="Confirm password"
            autoComplete="new-password"
            required
            size="md"
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
        <Button type="submit" fullWidth size="md" loading={register.isPending || register.isSuccess}>
          Create account
        </Button>
      </Stack>
    </form>
  );
}

function Hint({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <p className={classes.hint} data-good={good}>
      {good && <Check size={14} aria-hidden />}
      {children}
    </p>
  );
}

function refuse(description: string): void {
  toast({ title: 'Registration failed', description, tone: 'destructive' });
}
