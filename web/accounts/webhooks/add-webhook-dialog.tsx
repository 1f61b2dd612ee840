import { TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import {
  createWebhook,
  isAdminEvent,
  type WebhookEventType,
  type WebhookFormat,
  WebhookInput,
  webhookEvents,
} from '#shared/accounts/webhooks.ts';
import { ApiError, call } from '../../platform/api.ts';
import { withProof } from '../../platform/proof.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { Checkbox, RadioGroup } from '../../ui/fields.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import { useUser } from '../sessions/session.tsx';
import { eventLabels, formatOptions } from './labels.tsx';
import { nameOf, refreshWebhooks } from './queries.ts';
import styles from './webhooks.module.css';

interface Values {
  url: string;
  events: WebhookEventType[];
  format: WebhookFormat;
}

const emptyValues: Values = { url: '', events: ['alert.created', 'report.completed'], format: 'standard' };

interface AddWebhookDialogProps {
  opened: boolean;
  onClose(): void;
  /** Called with the secret of a webhook that was added, if its receiver needs it. */
  onSecret(secret: string): void;
}

/** The form to add a webhook. What was typed stays until it is added. */
export function AddWebhookDialog({ opened, onClose, onSecret }: AddWebhookDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: emptyValues,
    validate: schemaResolver(WebhookInput, { sync: true }),
    onValuesChange: () => add.reset(),
  });
  const add = useMutation({
    mutationFn: (values: Values) =>
      withProof(() => call(createWebhook, { body: { ...values, url: values.url.trim() } })),
    onSuccess: async ({ secret, ...webhook }) => {
      form.reset();
      onClose();
      toastSuccess('Webhook added', `${nameOf(webhook)} will receive the events that you selected.`);
      await refreshWebhooks(client);
      // The receivers of chat messages do not verify them.
      if (webhook.format === 'standard') onSecret(secret);
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
      if (error instanceof ApiError && error.fields.url) form.getInputNode('url')?.focus();
    },
  });
  const submit = () => {
    const { errors } = form.validate();
    if (errors.url) form.getInputNode('url')?.focus();
    if (Object.keys(errors).length === 0) add.mutate(form.values);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      onSubmit={submit}
      title="Add webhook"
      submitLabel="Add webhook"
      busy={add.isPending}
      closeOnClickOutside={!form.isDirty()}
    >
      <TextInput
        {...form.getInputProps('url')}
        type="url"
        inputMode="url"
        label="URL"
        placeholder="https://example.com/webhooks"
        required
        maxLength={2000}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        data-autofocus
      />
      <EventFields
        selected={form.values.events}
        error={form.errors.events}
        onChange={(events) => form.setFieldValue('events', events)}
      />
      <RadioGroup
        legend="Format"
        options={formatOptions}
        value={form.values.format}
        onChange={(format) => form.setFieldValue('format', format)}
      />
      <FormError error={form.errors.url ? undefined : add.error} />
    </FormDialog>
  );
}

interface EventFieldsProps {
  selected: WebhookEventType[];
  error: React.ReactNode;
  onChange(events: WebhookEventType[]): void;
}

function EventFields({ selected, error, onChange }: EventFieldsProps) {
  const { isAdmin } = useUser();
  const id = useId();
  return (
    <fieldset className={styles.events} aria-describedby={error ? id : undefined}>
      <legend>Events</legend>
      {webhookEvents
        .filter((event) => isAdmin || !isAdminEvent(event))
        .map((event) => (
          <Checkbox
            key={event}
            label={eventLabels[event]}
            checked={selected.includes(event)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(webhookEvents.filter((one) => (one === event ? checked : selected.includes(one))))
            }
          />
        ))}
      {error && (
        <span id={id}>
          <FormError error={{ message: String(error) }} />
        </span>
      )}
    </fieldset>
  );
}
