import { Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ResetRequest, requestReset, resetLinkMinutes } from '#shared/password-resets.ts';
import { ApiError, call } from '../lib/api.ts';
import { pageState } from '../lib/page-state.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { TextLink } from '../ui/screen.tsx';
import { toast } from '../ui/toast.tsx';
import { AuthFrame } from './auth-frame.tsx';
import classes from './auth-page.module.css';
import { useLeave } from './use-leave.ts';

/** Asks for the address that a link to another password is mailed to. */
export function ForgotPassword() {
  useTitle('Forgot your password?');
  useLeave();
  const { sendsMail } = pageState();
  return (
    <AuthFrame
      title="Forgot your password?"
      description={sendsMail ? 'We mail you a link to choose a new one.' : 'An admin can help you.'}
    >
      <Stack gap="md" className={classes.alone}>
        {sendsMail ? <AddressForm /> : <NoMail />}
        <TextLink to={paths.auth} size="sm" ta="center">
          Back to sign in
        </TextLink>
      </Stack>
    </AuthFrame>
  );
}

function NoMail() {
  return (
    <Text size="sm">
      This server sends no mail. An admin can make a link for you to choose a new password: ask the one you know, or
      write through the <TextLink to={paths.contact}>contact page</TextLink> how you can be reached.
    </Text>
  );
}

function AddressForm() {
  const form = useForm({ initialValues: { email: '' }, validate: schemaResolver(ResetRequest, { sync: true }) });
  const ask = useMutation({
    mutationFn: (body: ResetRequest) => call(requestReset, { body }),
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
      toast({ title: 'No mail was sent', description: error.message, tone: 'destructive' });
    },
  });
  if (ask.isSuccess) return <Sent email={ask.variables.email.trim()} onAgain={ask.reset} />;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => ask.mutate(values),
        () => form.getInputNode('email')?.focus(),
      )}
    >
      <Stack gap="md">
        <TextInput
          label="Email"
          description="The address of your account."
          type="email"
          inputMode="email"
          autoComplete="email"
          size="md"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Button type="submit" fullWidth size="md" loading={ask.isPending}>
          Send me a link
        </Button>
      </Stack>
    </form>
  );
}

/** The same for every address: who has an account here is nobody's business. */
function Sent({ email, onAgain }: { email: string; onAgain(): void }) {
  const words = useRef<HTMLDivElement>(null);
  useEffect(() => words.current?.focus(), []);
  return (
    <>
      <Text size="sm" component="div" ref={words} tabIndex={-1} role="status">
        <b>Check your mail.</b> If there is an account with the address <b className={classes.address}>{email}</b>, a
        link is on its way there. It works once, for {resetLinkMinutes} minutes.
      </Text>
      <Text size="sm" c="dimmed">
        Nothing there after a few minutes? Look among the spam, or try another address.
      </Text>
      <Button variant="default" fullWidth onClick={onAgain}>
        Try another address
      </Button>
    </>
  );
}
