import { Group, Modal, Stack, Text } from '@mantine/core';
import { oldSecretHours } from '#shared/accounts/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { FocusedTitle, useLast } from '../../ui/dialogs.tsx';

interface SecretDialogProps {
  /** Undefined closes the dialog. */
  secret: string | undefined;
  onClose(): void;
}

/** Shows a secret, which is not shown again. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const shown = useLast(secret);
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={<FocusedTitle>Webhook secret</FocusedTitle>}
      size="md"
      closeOnClickOutside={false}
    >
      <Stack gap="md">
        <Text size="sm">
          Copy the secret now. For your security, it is not shown again. If you replaced an earlier secret, that one
          works for {oldSecretHours} more hours.
        </Text>
        {shown && <CodeBlock code={shown} label="the secret" wrap />}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
