import { Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#shared/accounts.ts';
import { linkGoogle } from '#shared/google-sign-in.ts';
import { ApiError, call } from '../lib/api.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { TextLink } from '../ui/screen.tsx';
import { toast } from '../ui/toast.tsx';
import { sentenceOf } from './google-errors.ts';
import { PasswordField } from './password-field.tsx';

interface Props {
  idToken: string;
  onJoined(user: User): void;
  onClose(): void;
}

/** Asks once for the password of the account that has the same address: an address alone proves nothing. */
export function JoinGoogleDialog({ idToken, onJoined, onClose }: Props) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const join = useMutation({
    mutationFn: () => call(linkGoogle, { body: { idToken, password } }),
    onSuccess: onJoined,
    onError: (cause) => {
      const sentence = (cause instanceof ApiError && cause.fields.password) || sentenceOf(cause);
      toast({ title: 'Sign in failed', description: sentence, tone: 'destructive' });
      // The proof of Google is too old by now, or there is nothing to join: only a new sign-in helps.
      if (cause instanceof ApiError && (cause.status === 401 || cause.status === 409)) onClose();
      else setError(sentence);
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title="You already have an account"
      size="md"
      closeOnClickOutside={!join.isPending}
      closeOnEscape={!join.isPending}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (password === '') setError('Please enter your password');
          else join.mutate();
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            There is an account with this email address, with a password. Enter that password once, and you can sign in
            with Google from now on. The password keeps working.
          </Text>
          <Text size="sm">
            You do not know it, or the account is not yours? Ask for{' '}
            <TextLink to={paths.auth} search={{ tab: 'forgot' }} onClick={onClose} size="sm">
              a new password
            </TextLink>{' '}
            first: only who reads this address gets one.
          </Text>
          <PasswordField
            label="Password of your account"
            autoComplete="current-password"
            value={password}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setError(undefined);
            }}
            error={error}
            disabled={join.isPending}
            data-autofocus
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={join.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={join.isPending || join.isSuccess}>
              Sign in and join
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
