import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { PasswordReset, ResetRequest, requestReset, resetLinkMinutes, resetPassword } from '#shared/password-resets.ts';
import { ApiError, call } from '../../lib/api.ts';
import { pageState } from '../../lib/page-state.ts';
import { useTitle } from '../../lib/use-title.ts';
import { paths } from '../../paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { EmailField, useCheckedForm } from '../forms.tsx';
import { NewPasswordFields, confirmsPassword } from '../password-fields.tsx';
import { AuthFrame, useWelcome, type Welcome } from './auth-frame.tsx';
import classes from './auth-page.module.css';

/** Asks for the address to mail the link for a new password to. */
export function ForgotPassword() {
  useTitle('Forgot your password?');
  useWelcome();
  const { sendsMail } = pageState();
  return (
    <AuthFrame
      title="Forgot your password?"
      description={sendsMail ? 'We mail you a link to choose a new one.' : 'An admin can help you.'}
    >
      <Stack gap="md" className={classes.alone}>
        {sendsMail ? (
          <AddressForm />
        ) : (
          <Text size="sm">
            This server sends no mail. An admin can make a link for you to choose a new password: ask the one you know,
            or write through the <TextLink to={paths.contact}>contact page</TextLink> how you can be reached.
          </Text>
        )}
        <TextLink to={paths.auth} size="sm" ta="center">
          Back to sign in
        </TextLink>
      </Stack>
    </AuthFrame>
  );
}

function AddressForm() {
  const { form, focusFirst, showErrors } = useCheckedForm({ email: '' }, ResetRequest);
  const ask = useMutation({
    mutationFn: (body: ResetRequest) => call(requestReset, { body }),
    onError: (error) => showErrors(error, { title: 'No mail was sent' }),
  });
  if (ask.isSuccess) return <Sent email={ask.variables.email.trim()} onAgain={ask.reset} />;
  return (
    <form noValidate onSubmit={form.onSubmit((values) => ask.mutate(values), focusFirst)}>
      <Stack gap="md">
        <EmailField description="The address of your account." {...form.getInputProps('email')} />
        <Button type="submit" fullWidth size="md" loading={ask.isPending}>
          Send me a link
        </Button>
      </Stack>
    </form>
  );
}

/** The same for every address, so that nobody learns from it who has an account. */
function Sent({ email, onAgain }: { email: string; onAgain(): void }) {
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => message.current?.focus(), []);
  return (
    <>
      <Text size="sm" component="div" ref={message} tabIndex={-1} role="status">
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

/** The screen that the link opens: a new password for anyone who has the link, signed in or not. */
export function ResetPassword() {
  useTitle('Choose a new password');
  const { hash: token } = useLocation();
  const [isExpired, setIsExpired] = useState(false);
  const welcome = useWelcome({ staysOpen: true });
  if (token === '' || isExpired) return <LinkExpired />;
  return (
    <AuthFrame
      title="Choose a new password"
      description="Every browser and device that is signed in to your account will be signed out."
    >
      <div className={classes.alone}>
        <NewPasswordForm token={token} welcome={welcome} onExpired={() => setIsExpired(true)} />
      </div>
    </AuthFrame>
  );
}

function LinkExpired() {
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

const NewPasswordValues = z
  .extend(z.pick(PasswordReset, { password: true }), { passwordConfirm: z.string() })
  .check(confirmsPassword('password'));

function NewPasswordForm({ token, welcome, onExpired }: { token: string; welcome: Welcome; onExpired(): void }) {
  const { form, focusFirst, showErrors } = useCheckedForm({ password: '', passwordConfirm: '' }, NewPasswordValues);
  const change = useMutation({
    mutationFn: (password: string) => call(resetPassword, { body: { token, password } }),
    onSuccess: (user) =>
      welcome(user, {
        title: 'Password changed',
        description: `You are signed in as ${user.username}. Every other browser and device was signed out.`,
      }),
    onError: (error) => {
      if (error instanceof ApiError && error.fields.token) onExpired();
      showErrors(error, { title: 'Password not changed' });
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit(({ password }) => change.mutate(password), focusFirst)}>
      <Stack gap="md">
        <NewPasswordFields form={form} name="password" label="New password" look={{ size: 'md' }} />
        <Button type="submit" fullWidth size="md" loading={change.isPending || change.isSuccess}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
