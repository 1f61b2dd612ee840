import { Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Registration, type User } from '#shared/accounts/accounts.ts';
import { createFirstAdmin } from '#shared/accounts/setup.ts';
import { EmailField, UsernameField, useCheckedForm } from '../../accounts/accounts/forms.tsx';
import { confirmsPassword, NewPasswordFields } from '../../accounts/accounts/password-fields.tsx';
import { ApiError, call } from '../../platform/api.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';

const FirstAdminValues = z
  .extend(z.pick(Registration, { username: true, email: true, password: true }), { passwordConfirm: z.string() })
  .check(confirmsPassword('password'));

interface FirstAdminFormProps {
  /** The token of the setup link. */
  token: string;
  onCreated(user: User): void;
  /** The link has stopped working since the form was opened. */
  onRefused(): void;
}

/** Creates the first admin of the installation and signs in. */
export function FirstAdminForm({ token, onCreated, onRefused }: FirstAdminFormProps) {
  const { form, formError, focusFirst, showErrors } = useCheckedForm(
    { username: '', email: '', password: '', passwordConfirm: '' },
    FirstAdminValues,
  );
  const create = useMutation({
    mutationFn: (values: Registration) => call(createFirstAdmin, { body: { ...values, token } }),
    onSuccess: onCreated,
    onError: (error) => {
      if (error instanceof ApiError && (error.status === 403 || error.status === 409)) onRefused();
      showErrors(error, { title: 'Admin not created' });
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit(({ passwordConfirm: _, ...values }) => create.mutate(values), focusFirst)}>
      <Stack gap="md">
        <UsernameField {...form.getInputProps('username')} />
        <EmailField {...form.getInputProps('email')} />
        <NewPasswordFields form={form} name="password" label="Password" look={{ size: 'md' }} />
        <FormError error={formError} />
        <Button type="submit" fullWidth size="md" loading={create.isPending || create.isSuccess}>
          Create admin
        </Button>
      </Stack>
    </form>
  );
}
