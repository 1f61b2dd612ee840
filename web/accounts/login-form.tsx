import { Button, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { login } from '#shared/accounts.ts';
import { ApiError, call } from '../lib/api.ts';
import { setSession } from '../lib/session.ts';
import { toast } from '../ui/toast.tsx';
import { PasswordField } from './password-field.tsx';

const LoginValues = z.object({
  username: z.string().check(z.trim(), z.minLength(1, 'Please enter your username or email')),
  password: z.string().check(z.minLength(1, 'Please enter your password')),
});

export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { username: '', password: '' },
    validate: schemaResolver(LoginValues, { sync: true }),
  });
  const signIn = useMutation({
    mutationFn: (values: z.infer<typeof LoginValues>) => call(login, { body: values }),
    onSuccess: (user) => {
      onSignedIn();
      setSession(queryClient, user);
      toast({
        title: 'Signed in successfully!',
        description: `Welcome back, ${user.displayName || user.username}.`,
        tone: 'success',
      });
    },
    onError: (error) => {
      const description = sentenceOf(error);
      form.setErrors({ password: description });
      form.getInputNode('password')?.focus();
      toast({ title: 'Sign in failed', description, tone: 'destructive' });
    },
  });

  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => signIn.mutate(values),
        (errors) => {
          form.getInputNode(Object.keys(errors)[0] ?? 'username')?.focus();
          toast({
            title: 'Missing Information',
            description: 'Please enter your username or email and your password.',
            tone: 'destructive',
          });
        },
      )}
    >
      <Stack gap="md">
        <TextInput
          label="Username or email"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          size="md"
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          size="md"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" fullWidth size="md" mt={4} loading={signIn.isPending || signIn.isSuccess}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function sentenceOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'There was a problem signing you in. Please try again.';
  return error.status === 401 ? error.message || 'Invalid username or password' : error.message;
}
