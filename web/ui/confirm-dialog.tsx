import { Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import classes from './confirm-dialog.module.css';
import { Refusal } from './refusal.tsx';

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
  /** Why the act was refused. */
  error: Error | null;
  /** Whether the act destroys something. */
  destructive?: boolean;
}

/** Asks before an act that cannot be taken back. The focus starts on Cancel. */
export function ConfirmDialog(props: Props) {
  const { opened, onClose, onConfirm, title, children, confirmLabel, busy = false, error, destructive = true } = props;
  // A refusal belongs to the question that it answered.
  const [oldError, setOldError] = useState(error);
  if (!opened && error !== oldError) setOldError(error);
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="md" closeOnEscape={!busy} closeOnClickOutside={!busy}>
      <Stack gap="lg">
        <Text size="sm" component="div">
          {children}
        </Text>
        {error !== oldError && <Refusal error={error} />}
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

/** The value, or the last one that was defined: a dialog shows its content until it has faded out. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}
