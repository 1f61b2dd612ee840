import { Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { DebugLogin, debugLogin } from '#shared/debug-login.ts';
import { ApiError, call } from '../lib/api.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { setSession, useSession } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { AuthFrame } from './auth-frame.tsx';
import classes from './auth-page.module.css';

/** Makes a user for trying things out, and signs in. Who is signed in already is sent home. */
export function DebugLoginPage() {
  useTitle('Debug login');
  const { user } = useSession();
  if (user) return <Navigate to={paths.home} replace />;
  return (
    <AuthFrame
      title="Debug login"
      description="Signs in as a made-up user. It is here because this server runs with LINKSIEVE_DEBUG."
    >
      <div className={classes.alone}>
        <DebugForm />
      </div>
    </AuthFrame>
  );
}

function DebugForm() {
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { email: '', name: '', username: '' },
    validate: (values) => schemaResolver(DebugLogin, { sync: true })(given(values)),
  });
  const refuse = (fields: Record<string, unknown>) => form.getInputNode(Object.keys(fields)[0] ?? 'email')?.focus();
  const signIn = useMutation({
    mutationFn: (values: DebugLogin) => call(debugLogin, { body: values }),
    onSuccess: (user) => setSession(queries, user),
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
      refuse(error instanceof ApiError ? error.fields : {});
      toast({ title: 'Login failed', description: 'Failed to create debug user', tone: 'destructive' });
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => signIn.mutate(given(values)), refuse)}>
      <Stack gap="md">
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          required
          size="md"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <TextInput
          label="Name (optional)"
          autoComplete="off"
          size="md"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Username (optional)"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          size="md"
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <Button type="submit" fullWidth size="md" loading={signIn.isPending}>
          Create debug user
        </Button>
      </Stack>
    </form>
  );
}

/** What was filled in; the rest the server makes up. */
function given({ email, name, username }: { email: string; name: string; username: string }): DebugLogin {
  return { email, ...(name.trim() && { name }), ...(username.trim() && { username }) };
}
