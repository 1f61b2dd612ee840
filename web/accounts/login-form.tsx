import { Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { login } from '#shared/accounts.ts';
import { ApiError, call } from '../lib/api.ts';
import { paths } from '../paths.ts';
import { setSession } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { TextLink } from '../ui/screen.tsx';
import { toast } from '../ui/toast.tsx';
import classes from './auth-page.module.css';
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
      const title = error instanceof ApiError && error.status === 401 ? 'Login Failed' : 'Sign in failed';
      toast({ title, description, tone: 'destructive' });
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
        <div>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            size="md"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <div className={classes.forgot}>
            <TextLink to={paths.auth} search={{ tab: 'forgot' }} size="sm">
              Forgot your password?
            </TextLink>
          </div>
        </div>
        <Button type="submit" fullWidth size="md" loading={signIn.isPending || signIn.isSuccess}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function sentenceOf(error: Error): string {
  const sentence = error instanceof ApiError ? error.message : '';
  if (sentence !== '') return sentence;
  const isRefused = error instanceof ApiError && error.status === 401;
  return isRefused ? 'Invalid username or password' : 'There was a problem signing you in. Please try again.';
}
