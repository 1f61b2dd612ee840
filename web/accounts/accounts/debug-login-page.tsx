import { Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { DebugLogin, debugLogin } from '#shared/accounts/debug-login.ts';
import { paths } from '../../paths.ts';
import { call } from '../../platform/api.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { setSession, useSession } from '../sessions/session.tsx';
import { AuthFrame } from './auth-frame.tsx';
import styles from './auth-page.module.css';
import { EmailField, UsernameField, useCheckedForm } from './forms.tsx';

/** Creates a debug user and signs in. Redirects signed-in users to the home page. */
export function DebugLoginPage() {
  useTitle('Debug login');
  const { user } = useSession();
  if (user) return <Navigate to={paths.home} replace />;
  return (
    <AuthFrame
      title="Debug login"
      description="Creates a debug user and signs in. Available because this server runs with LINKSIEVE_DEBUG."
    >
      <div className={styles.alone}>
        <DebugForm />
      </div>
    </AuthFrame>
  );
}

function DebugForm() {
  const queries = useQueryClient();
  const { form, formError, focusFirst, showErrors } = useCheckedForm(
    { email: '', name: '', username: '' },
    DebugLogin,
    omitEmpty,
  );
  const signIn = useMutation({
    mutationFn: (values: DebugLogin) => call(debugLogin, { body: values }),
    onSuccess: (user) => setSession(queries, user),
    onError: (error) => showErrors(error, { title: 'Login failed', description: 'Failed to create debug user' }),
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => signIn.mutate(omitEmpty(values)), focusFirst)}>
      <Stack gap="md">
        <EmailField autoComplete="off" required {...form.getInputProps('email')} />
        <TextInput label="Name (optional)" autoComplete="off" size="md" {...form.getInputProps('name')} />
        <UsernameField label="Username (optional)" autoComplete="off" {...form.getInputProps('username')} />
        <FormError error={formError} />
        <Button type="submit" fullWidth size="md" loading={signIn.isPending}>
          Create debug user
        </Button>
      </Stack>
    </form>
  );
}

/** Leaves out empty optional fields. The server fills them in. */
function omitEmpty({ email, name, username }: { email: string; name: string; username: string }): DebugLogin {
  return { email, ...(name.trim() && { name }), ...(username.trim() && { username }) };
}
