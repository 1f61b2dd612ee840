import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { type ApiKey, defaultKeyGraceHours, keyGraceHours, rotateApiKey } from '#shared/accounts/api-keys.ts';
import { useUser } from '../../../accounts/sessions/session.tsx';
import { call } from '../../../platform/api.ts';
import { withProof } from '../../../platform/proof.ts';
import { Button } from '../../../ui/button.tsx';
import { FocusedTitle, FormDialog } from '../../../ui/dialogs.tsx';
import { RadioGroup } from '../../../ui/fields.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { apiKeysQuery } from '../queries.ts';
import { type Expiry, ExpiryField, toExpiresAt, validateExpiry } from './expiry-field.tsx';

const graceLabels: Record<(typeof keyGraceHours)[number], string> = {
  0: 'Stops working immediately',
  24: 'Works for 24 hours',
  168: 'Works for 7 days',
};
const graceOptions = keyGraceHours.map((hours) => ({ value: String(hours), label: graceLabels[hours] }));

interface RotateKeyProps {
  apiKey: ApiKey;
  /** Called when the key has a new value. */
  onRotated(): void;
}

/** A button that opens a dialog to replace the value of a key. */
export function RotateKey({ apiKey, onRotated }: RotateKeyProps) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<RotateCw size={14} aria-hidden />}
        aria-label={`Rotate ${apiKey.name}`}
        onClick={dialog.open}
      >
        Rotate
      </Button>
      <RotateDialog apiKey={apiKey} opened={opened} onClose={dialog.close} onRotated={onRotated} />
    </>
  );
}

interface RotateDialogProps extends RotateKeyProps {
  opened: boolean;
  onClose(): void;
}

function RotateDialog({ apiKey, opened, onClose, onRotated }: RotateDialogProps) {
  const { id, name, active, previousExpiresAt } = apiKey;
  const { queryKey } = apiKeysQuery(useUser().id);
  const queries = useQueryClient();
  const [hours, setHours] = useState(String(defaultKeyGraceHours));
  const [chosen, setExpiry] = useState<Expiry>();
  const expiry = chosen ?? { choice: active ? 'keep' : '90', date: '' };
  const [problem, setProblem] = useState<string | null>(null);
  const rotate = useMutation({
    mutationFn: () => {
      const graceHours = keyGraceHours.find((one) => String(one) === hours);
      const expiresAt = toExpiresAt(expiry);
      const body = { ...(graceHours !== undefined && { graceHours }), ...(expiresAt !== undefined && { expiresAt }) };
      return withProof(() => call(rotateApiKey, { params: { id }, body }));
    },
    onSuccess: async () => {
      onClose();
      setExpiry(undefined);
      toastSuccess('API key rotated', `Copy the new value of ${name} into your programs.`);
      onRotated();
      await queries.invalidateQueries({ queryKey });
    },
  });
  const submit = () => {
    const found = validateExpiry(expiry);
    setProblem(found);
    if (!found) rotate.mutate();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      onSubmit={submit}
      title={<FocusedTitle>Rotate API key</FocusedTitle>}
      submitLabel="Rotate API key"
      busy={rotate.isPending}
    >
      <Text size="sm">
        <b>{name}</b> gets a new value. Its limits and its usage stay the same.
        {previousExpiresAt && ' The value before the current one stops working immediately.'}
      </Text>
      {active && <RadioGroup legend="Current value" options={graceOptions} value={hours} onChange={setHours} />}
      <ExpiryField
        label="Expires"
        value={expiry}
        onChange={(value) => {
          setProblem(null);
          setExpiry(value);
        }}
        error={problem}
        canKeep={active}
      />
      <FormError error={rotate.error} />
    </FormDialog>
  );
}
