import { Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Registration, register } from '#shared/accounts/accounts.ts';
import { ApiError, call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toastError } from '../../ui/toast.tsx';
import { subscribeToNews, type Welcome } from './auth-frame.tsx';
import { EmailField, UsernameField, useCheckedForm } from './forms.tsx';
import { confirmsPassword, NewPasswordFields } from './password-fields.tsx';

const RegistrationValues = z
  .extend(Registration, {
    email: z.pipe(z.string().check(z.trim(), z.minLength(1, 'Please enter your email')), Registration.shape.email),
    username: z.pipe(
      z.string().check(z.trim(), z.minLength(1, 'Please choose a username')),
      Registration.shape.username,
    ),
    passwordConfirm: z.string(),
  })
  .check(confirmsPassword('password'));

// The label of the optional field says that it is optional, so the required ones need no asterisk.
const required = { required: true, withAsterisk: false };

/** Creates an account and signs in. */
export function RegisterForm({ welcome }: { welcome: Welcome }) {
  const { form, formError, focusFirst, showErrors } = useCheckedForm(
    { email: '', username: '', displayName: '', password: '', passwordConfirm: '' },
    RegistrationValues,
  );
  const create = useMutation({
    mutationFn: ({ displayName, ...values }: Registration) =>
      call(register, { body: { ...values, ...(displayName?.trim() && { displayName }) } }),
    onSuccess: (user) => {
      welcome(user, {
        title: 'Registration successful',
        description: `Welcome to Linksieve, ${user.displayName || user.username}.`,
      });
      subscribeToNews(user);
    },
    onError: (error) => showErrors(error, messageOf(error), fieldsOf(error)),
  });
  const { email, username, password, passwordConfirm } = form.values;

  function showMistakes(errors: object): void {
    focusFirst(errors);
    const isIncomplete = !email.trim() || !username.trim() || !password;
    if (!isIncomplete && password !== passwordConfirm) {
      const description = 'The two passwords do not match.';
      toastError('Password Mismatch', description);
    } else {
      const description = isIncomplete ? 'Please fill in all required fields' : String(Object.values(errors)[0]);
      toastError('Registration failed', description);
    }
  }

  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ passwordConfirm: _, ...values }) => create.mutate(values), showMistakes)}
    >
      <Stack gap="md">
        <EmailField {...required} {...form.getInputProps('email')} />
        <UsernameField {...required} {...form.getInputProps('username')} />
        <TextInput
          label="Display name (optional)"
          autoComplete="name"
          size="md"
          {...form.getInputProps('displayName')}
        />
        <NewPasswordFields form={form} name="password" label="Password" look={{ ...required, size: 'md' }} />
        <FormError error={formError} />
        <Button type="submit" fullWidth size="md" loading={create.isPending || create.isSuccess}>
          Create account
        </Button>
      </Stack>
    </form>
  );
}

function messageOf(error: Error): { title: string; description: string } {
  if (!(error instanceof ApiError)) {
    const description = 'There was a problem creating your account. Please try again.';
    return { title: 'Registration failed', description };
  }
  // The server's message for a 5xx response does not help the user.
  if (error.status >= 500) {
    return { title: 'Registration Failed', description: 'Could not create account. Please try again.' };
  }
  return { title: 'Registration failed', description: error.message || 'Unable to create account' };
}

/** The server's error messages by field. A message without a field is assigned to the field that it mentions. */
function fieldsOf(error: Error): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  if (Object.keys(error.fields).length > 0) return error.fields;
  const mentioned = ['username', 'email', 'password'].find((field) => error.message.toLowerCase().includes(field));
  return mentioned ? { [mentioned]: error.message } : {};
}
