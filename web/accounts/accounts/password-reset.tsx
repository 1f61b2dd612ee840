import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import type { User } from '#shared/accounts/accounts.ts';
import {
  PasswordReset,
  ResetRequest,
  requestReset,
  resetLinkMinutes,
  resetPassword,
} from '#shared/accounts/password-resets.ts';
import { paths } from '../../paths.ts';
import { ApiError, call } from '../../platform/api.ts';
import { pageState } from '../../platform/page-state.ts';
import { useTitle } from '../../platform/use-title.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { useHash, useIsServed } from '../../ui/served.ts';
import { Hint } from '../../ui/typography.ts';
import { AuthFrame, useWelcome } from './auth-frame.tsx';
import styles from './auth-page.module.css';
import { EmailField, useCheckedForm } from './forms.tsx';
import { confirmsPassword, NewPasswordFields } from './password-fields.tsx';
import { findChallenge, SecondFactorStep } from './second-factor-step.tsx';

/** The screen to request a password reset link by email. */
export function ForgotPassword() {
  useTitle('Forgot your password?');
  useWelcome();
  const { sendsMail } = pageState();
  return (
    <AuthFrame
      title="Forgot your password?"
      description={sendsMail ? 'We will email you a link to choose a new one.' : 'An admin can help you.'}
    >
      <Stack gap="md" className={styles.alone}>
        {sendsMail ? (
          <AddressForm />
        ) : (
          <Text size="sm">
            This server does not send email. An admin can create a link for you to choose a new password. Ask an admin
            you know, or use the <TextLink to={paths.contact}>contact page</TextLink> and tell us how to reach you.
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
  const { form, formError, focusFirst, showErrors } = useCheckedForm({ email: '' }, ResetRequest);
  const request = useMutation({
    mutationFn: (body: ResetRequest) => call(requestReset, { body }),
    onError: (error) => showErrors(error, { title: 'Email not sent' }),
  });
  if (request.isSuccess) return <Sent email={request.variables.email.trim()} onAgain={request.reset} />;
  return (
    <form noValidate onSubmit={form.onSubmit((values) => request.mutate(values), focusFirst)}>
      <Stack gap="md">
        <EmailField description="The email address of your account." {...form.getInputProps('email')} />
        <FormError error={formError} />
        <Button type="submit" fullWidth size="md" loading={request.isPending}>
          Send me a link
        </Button>
      </Stack>
    </form>
  );
}

/** The confirmation. It is the same for every address, so that it does not reveal who has an account. */
function Sent({ email, onAgain }: { email: string; onAgain(): void }) {
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => message.current?.focus(), []);
  return (
    <>
      <Text size="sm" component="div" ref={message} tabIndex={-1} role="status">
        <b>Check your email.</b> If there is an account with the address <b className={styles.address}>{email}</b>, we
        sent it a link. The link works once and expires in {resetLinkMinutes} minutes.
      </Text>
      <Hint>No email after a few minutes? Check your spam folder, or try another address.</Hint>
      <Button variant="default" fullWidth onClick={onAgain}>
        Try another address
      </Button>
    </>
  );
}

/** The screen that a reset link opens. Anyone with the link can set a new password, signed in or not. */
export function ResetPassword() {
  useTitle('Choose a new password');
  const token = useHash();
  const isServed = useIsServed();
  const [isExpired, setIsExpired] = useState(false);
  const welcome = useWelcome({ staysOpen: true, destination: `${paths.account}?tab=profile` });
  const navigate = useNavigate();
  const [challenge, setChallenge] = useState<string>();
  const onSignedIn = (user: User) =>
    welcome(user, {
      title: 'Password changed',
      description: `You are signed in as ${user.username}. All other browsers and devices were signed out. Check what other access your account has.`,
    });
  if (challenge !== undefined) {
    const cancel = () => void navigate({ to: paths.auth, replace: true });
    return <SecondFactorStep challenge={challenge} onSignedIn={onSignedIn} onCancel={cancel} />;
  }
  if ((token === '' && !isServed) || isExpired) return <LinkExpired />;
  return (
    <AuthFrame
      title="Choose a new password"
      description="Every browser and device that is signed in to your account will be signed out."
    >
      <div className={styles.alone}>
        <NewPasswordForm
          token={token}
          onSignedIn={onSignedIn}
          onChallenge={setChallenge}
          onExpired={() => setIsExpired(true)}
        />
      </div>
    </AuthFrame>
  );
}

function LinkExpired() {
  return (
    <AuthFrame title="This link has expired" description="Each link works once, and only the newest link works.">
      <Stack gap="md" className={styles.alone}>
        <Text size="sm">
          It was already used, is more than {resetLinkMinutes} minutes old, or was not copied completely. Copy the whole
          link, or request a new one.
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

interface NewPasswordFormProps {
  token: string;
  onSignedIn(user: User): void;
  /** The password was changed, but the account needs its second factor too. */
  onChallenge(challenge: string): void;
  onExpired(): void;
}

function NewPasswordForm({ token, onSignedIn, onChallenge, onExpired }: NewPasswordFormProps) {
  const { form, formError, focusFirst, showErrors } = useCheckedForm(
    { password: '', passwordConfirm: '' },
    NewPasswordValues,
  );
  const change = useMutation({
    // A challenge is not an error here: another user's session in this browser has not ended.
    mutationFn: async (password: string) => {
      try {
        return { user: await call(resetPassword, { body: { token, password } }) };
      } catch (error) {
        const challenge = findChallenge(error);
        if (challenge === undefined) throw error;
        return { challenge };
      }
    },
    onSuccess: ({ user, challenge }) => (user ? onSignedIn(user) : onChallenge(challenge)),
    onError: (error) => {
      if (error instanceof ApiError && error.fields.token) onExpired();
      showErrors(error, { title: 'Password not changed' });
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit(({ password }) => change.mutate(password), focusFirst)}>
      <Stack gap="md">
        <NewPasswordFields form={form} name="password" label="New password" look={{ size: 'md' }} />
        <FormError error={formError} />
        <Button type="submit" fullWidth size="md" loading={change.isPending || change.isSuccess}>
          Change password
        </Button>
      </Stack>
    </form>
  );
}
