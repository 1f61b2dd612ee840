import { Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { RegistrationValues } from './registration-values.ts';
import { useRegister } from './use-register.ts';

// Every field has to be filled in but those that say so: no stars.
const needed = { required: true, withAsterisk: false };

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
          {...needed}
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
          {...needed}
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
        <NewPasswordFields
          form={form}
          name="password"
          label="Password"
          confirmLabel="Confirm password"
          look={{ ...needed, size: 'md' }}
        />
        <Button type="submit" fullWidth size="md" loading={register.isPending || register.isSuccess}>
          Create account
        </Button>
      </Stack>
    </form>
  );
}

function refuse(description: string): void {
  toast({ title: 'Registration failed', description, tone: 'destructive' });
}
