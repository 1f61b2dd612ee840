import { Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { resetPassword } from '#shared/password-resets.ts';
import { ApiError, call } from '../lib/api.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { setSession } from '../session/session.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { AuthFrame } from './auth-frame.tsx';
import classes from './auth-page.module.css';
import { NewPasswordFields } from './new-password-fields.tsx';
import { NewPasswordValues } from './password-values.ts';
import { useLeave } from './use-leave.ts';

/** Where the link of a mail or of an admin leads: another password for whoever holds it, signed in already or not. */
export function ResetPassword() {
  useTitle('Choose a new password');
  const { hash: token } = useLocation();
  const [isOver, setIsOver] = useState(false);
  const onSignedIn = useLeave({ staysOpen: true });
  if (token === '' || isOver) return <LinkIsOver />;
  return (
    <AuthFrame
      title="Choose a new password"
      description="Every browser and device that is signed in to your account will be signed out."
    >
      <div className={classes.alone}>
        <NewPasswordForm token={token} onSignedIn={onSignedIn} onOver={() => setIsOver(true)} />
      </div>
    </AuthFrame>
  );
}

function LinkIsOver() {
  return (
    <AuthFrame title="This link is over" description="Each link works once, and only the newest one does.">
      <Stack gap="md" className={classes.alone}>
        <Text size="sm">
          It has been used, is older than an hour, or was not copied whole. Copy all of it, or ask for a new one.
        </Text>
        <ButtonLink to={paths.auth} search={{ tab: 'forgot' }} fullWidth size="md">
          Get a new link
        </ButtonLink>
      </Stack>
    </AuthFrame>
  );
}

interface FormProps {
  token: string;
  onSignedIn(): void;
  onOver(): void;
}

function NewPasswordForm({ token, onSignedIn, onOver }: FormProps) {
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { password: '', passwordConfirm: '' },
    validate: schemaResolver(NewPasswordValues, { sync: true }),
  });
  const change = useMutation({
    mutationFn: () => call(resetPassword, { body: { token, password: form.values.password } }),
    onSuccess: (user) => {
      onSignedIn();
      setSession(queries, user);
      toast({
        title: 'Password changed',
        description: `You are signed in as ${user.username}. Every other browser and device was signed out.`,
        tone: 'success',
      });
    },
    onError: (error) => {
      const fields = error instanceof ApiError ? error.fields : {};
      if (fields.token) onOver();
      form.setErrors(fields);
      form.getInputNode('password')?.focus();
      toast({ title: 'Password not changed', description: error.message, tone: 'destructive' });
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        () => change.mutate(),
        (errors) => form.getInputNode(Object.keys(errors)[0] ?? 'password')?.focus(),
      )}
    >
      <Stack gap="md">
        <NewPasswordFields
          form={form}
          name="password"
          label="New password"
          confirmLabel="Confirm new password"
          look={{ size: 'md' }}
        />
        <Button type="submit" fullWidth size="md" loading={change.isPending || change.isSuccess}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
