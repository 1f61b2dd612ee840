import { Group, Modal, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { submissionLimits } from '#shared/submissions.ts';
import { Button } from '../ui/button.tsx';
import { Refusal } from '../ui/dialogs.tsx';
import { Counter } from './counter.tsx';
import styles from './submit-page.module.css';

interface RejectDialogProps {
  domain: string;
  isBusy: boolean;
  error: { message: string } | null;
  onClose(): void;
  onReject(reason: string): void;
}

/** Asks for the reason that the submitter will read, which may be left out. */
export function RejectDialog({ domain, isBusy, error, onClose, onReject }: RejectDialogProps) {
  const [reason, setReason] = useState('');
  const isTooLong = reason.trim().length > submissionLimits.reason;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && !isTooLong) onReject(reason.trim());
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Reject ${domain}`}
      size="md"
      closeOnEscape={!isBusy}
      closeOnClickOutside={reason === '' && !isBusy}
    >
      <form onSubmit={submit}>
        <Stack gap="lg">
          <Textarea
            label="Reason"
            description={
              <span className={styles.below}>
                <span>Optional. The submitter reads it.</span>
                <Counter text={reason} most={submissionLimits.reason} />
              </span>
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            error={isTooLong && 'The reason must be less than 500 characters'}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            // The key that opened the dialog may still be held.
            onKeyDown={(event) => event.repeat && reason === '' && event.preventDefault()}
            autosize
            minRows={3}
            maxRows={10}
            data-autofocus
          />
          <Refusal error={error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={isBusy} disabled={isTooLong}>
              Reject
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
