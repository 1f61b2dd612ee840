import { Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changePassword, type PasswordChange } from '#shared/accounts.ts';
import { ApiError, call } from '../lib/api.ts';
import { useUser } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { PasswordField } from './password-field.tsx';
import { PasswordValues } from './password-values.ts';
import { sessionsQuery } from './queries.ts';

export function PasswordForm() {
  const { username } = useUser();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '', passwordConfirm: '' },
    validate: schemaResolver(PasswordValues, { sync: true }),
  });
  const refuse = (fields: Record<string, unknown>) =>
    form.getInputNode(Object.keys(fields)[0] ?? 'currentPassword')?.focus();
  const change = useMutation({
    mutationFn: (body: PasswordChange) => call(changePassword, { body }),
    onSuccess: () => {
      form.reset();
      toast({
        title: 'Password changed',
        description: 'Every other browser and device was signed out.',
        tone: 'success',
      });
      // The list above the form shows who is still signed in.
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
      refuse(error instanceof ApiError ? error.fields : {});
      toast({ title: 'Password not changed', description: error.message, tone: 'destructive' });
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        ({ currentPassword, newPassword }) => change.mutate({ currentPassword, newPassword }),
        refuse,
      )}
    >
      <Stack gap="sm" maw={400}>
        {/* Password managers save the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          key={form.key('currentPassword')}
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordFields form={form} name="newPassword" label="New password" confirmLabel="Confirm new password" />
        <div>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </div>
      </Stack>
    </form>
  );
}
