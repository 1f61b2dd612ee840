import { Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import classes from './confirm-dialog.module.css';

interface Props {
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** What will happen, in a sentence. */
  children: ReactNode;
  /** The verb on the button: 'Delete'. */
  confirmLabel: string;
  /** While the answer is on its way; the dialog stays. */
  busy?: boolean;
  /** Whether the act destroys something. */
  destructive?: boolean;
}

/** Asks before an act that cannot be taken back. The focus starts on Cancel. */
export function ConfirmDialog(props: Props) {
  const { opened, onClose, onConfirm, title, children, confirmLabel, busy = false, destructive = true } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="md" closeOnEscape={!busy} closeOnClickOutside={!busy}>
      <Stack gap="lg">
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end" gap="sm" className={classes.buttons}>
          <Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
            Cancel
          </Button>
          <Button {...(destructive && { color: 'red' })} onClick={onConfirm} loading={busy}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
