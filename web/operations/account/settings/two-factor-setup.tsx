import { Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { encode } from 'uqr';
import { confirmSecondFactor, type SecondFactorSetup } from '#shared/accounts/second-factor.ts';
import { CodeField } from '../../../accounts/accounts/code-field.tsx';
import { accountQuery, sessionsQuery } from '../../../accounts/sessions/queries.ts';
import { ApiError, call } from '../../../platform/api.ts';
import { withProof } from '../../../platform/proof.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton, copyText } from '../../../ui/copy-button.tsx';
import { FocusedTitle, FormDialog } from '../../../ui/dialogs.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { Strong } from '../../../ui/typography.ts';

import styles from './two-factor.module.css';

interface SetupDialogProps {
  setup: SecondFactorSetup;
  opened: boolean;
  onClose(): void;
}

/** Shows the secret for the authenticator app, checks its first code, and shows the recovery codes. */
export function SetupDialog({ setup, opened, onClose }: SetupDialogProps) {
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const turnOn = useMutation({
    mutationFn: () => withProof(() => call(confirmSecondFactor, { body: { code } })),
    onSuccess: async () => {
      toastSuccess('Two-factor authentication turned on', 'Save your recovery codes now.');
      await queries.invalidateQueries({ queryKey: accountQuery.queryKey });
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (cause) => {
      setError((cause instanceof ApiError && cause.fields.code) || cause.message);
      toastError('Two-factor authentication not turned on', cause.message);
    },
  });
  if (turnOn.data) return <CodesDialog opened={opened} codes={turnOn.data.recoveryCodes} onClose={onClose} />;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      onSubmit={() => (code.trim() === '' ? setError('Please enter a code') : turnOn.mutate())}
      title="Turn on two-factor authentication"
      submitLabel="Turn on"
      busy={turnOn.isPending}
      closeOnClickOutside={false}
    >
      <Text size="sm">
        Scan the QR code with an authenticator app, such as Google Authenticator, 1Password or Aegis. Then enter the
        code that the app shows.
      </Text>
      <QrCode text={setup.url} />
      <div>
        <Strong>No camera? Enter this key in the app:</Strong>
        <div className={styles.secret}>
          <code>{setup.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
          <CopyButton value={setup.secret} label="Copy the key" />
        </div>
      </div>
      <CodeField
        value={code}
        onChange={(event) => {
          setCode(event.currentTarget.value);
          setError(undefined);
        }}
        error={error}
        disabled={turnOn.isPending}
        data-autofocus
      />
    </FormDialog>
  );
}

/** Dark on white in both themes, because not every app reads light codes on dark. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code for your authenticator app"
    >
      <path d={cells.join('')} shapeRendering="crispEdges" />
    </svg>
  );
}

interface CodesDialogProps {
  codes: string[];
  opened: boolean;
  onClose(): void;
}

/** Shows recovery codes once, with buttons to copy and to download them. */
export function CodesDialog({ codes, opened, onClose }: CodesDialogProps) {
  const [error, setError] = useState<{ message: string }>();

  async function copy(): Promise<void> {
    if (await copyText(codes.join('\n'))) toastSuccess('Recovery codes copied', 'Keep them in a safe place.');
    else setError({ message: 'The codes could not be copied. Please download them.' });
  }

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<FocusedTitle>Your recovery codes</FocusedTitle>}
      size="md"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Text size="sm">
          If you lose your phone, you can sign in with one of these codes. Each works once. They are shown only now:
          keep them where you keep your passwords.
        </Text>
        <ul className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code} data-mono>
              {code}
            </li>
          ))}
        </ul>
        <FormError error={error} />
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Button variant="default" leftSection={<Copy size={15} aria-hidden />} onClick={() => void copy()}>
              Copy
            </Button>
            <Button
              variant="default"
              leftSection={<Download size={15} aria-hidden />}
              onClick={() => saveText('linksieve-recovery-codes.txt', `${codes.join('\n')}\n`)}
            >
              Download
            </Button>
          </Group>
          <Button onClick={onClose}>I have saved them</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser must start reading before the URL is revoked.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
