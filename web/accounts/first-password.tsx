import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { requestReset, resetLinkMinutes } from '#shared/password-resets.ts';
import { call } from '../lib/api.ts';
import { pageState } from '../lib/page-state.ts';
import { useUser } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';

/** For accounts without a password: the way to one goes through the mailbox, as after forgetting one. */
export function FirstPassword() {
  const { email } = useUser();
  const ask = useMutation({
    mutationFn: () => call(requestReset, { body: { email } }),
    onSuccess: () =>
      toast({
        title: 'Check your mail',
        description: `A link is on its way to ${email}. It works once, for ${resetLinkMinutes} minutes.`,
        tone: 'success',
      }),
    onError: (error) => toast({ title: 'No mail was sent', description: error.message, tone: 'destructive' }),
  });
  if (!pageState().sendsMail) {
    return <Text size="sm">You sign in with Google: there is no password here to change.</Text>;
  }
  return (
    <Stack gap="md" align="flex-start">
      <Text size="sm">
        You sign in with Google and have no password here. To sign in without Google too, choose one through a link that
        we mail to <b>{email}</b>.
      </Text>
      <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
        Mail me a link
      </Button>
    </Stack>
  );
}
