import { Alert, Group, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, KeyRound, Pause, Play, Send, Trash2, TriangleAlert } from 'lucide-react';
import {
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
} from '#shared/accounts/webhooks.ts';
import { call } from '../../platform/api.ts';
import { withProof } from '../../platform/proof.ts';
import { useSingleFlight } from '../../platform/use-single-flight.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { Row } from '../../ui/row-list.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import { DeliveryStatusLabel, WebhookStateLabel } from './labels.tsx';
import { nameOf, refreshWebhooks } from './queries.ts';
import styles from './webhooks.module.css';

const small = { size: 'xs', variant: 'default' } as const;

interface WebhookRowProps {
  webhook: Webhook;
  /** Called with the new secret after a rotation. */
  onSecret(secret: string): void;
}

/** A webhook with its state, its buttons, and its deliveries when they are opened. */
export function WebhookRow({ webhook, onSecret }: WebhookRowProps) {
  const { url, events, format, active, disabledReason, lastDelivery, oldSecretUntil } = webhook;
  const [isOpen, deliveries] = useDisclosure(false);
  const name = nameOf(webhook);
  const DeliveriesIcon = isOpen ? ChevronUp : ChevronDown;
  return (
    <Row
      text={
        <div className={styles.row}>
          <Title order={3} size="h4" className={styles.url}>
            <span data-mono>{url}</span>
          </Title>
          <div className={styles.facts}>
            <WebhookStateLabel webhook={webhook} />
            <span>{events.join(', ')}</span>
            <span>{format === 'chat' ? 'Chat message' : 'JSON'}</span>
            {lastDelivery && (
              <span className={styles.last}>
                Last event: <DeliveryStatusLabel status={lastDelivery.status} />{' '}
                <DateText value={lastDelivery.createdAt} />
              </span>
            )}
            {oldSecretUntil && (
              <span>
                The earlier secret works until <DateText value={oldSecretUntil} pattern="time" />
              </span>
            )}
          </div>
          {!active && disabledReason && (
            <Alert color="red" icon={<TriangleAlert size={18} aria-hidden />} title="Linksieve disabled this webhook">
              {disabledReason} When the receiver works again, enable the webhook.
            </Alert>
          )}
          <Group gap="xs">
            <SendTest webhook={webhook} onSent={deliveries.open} />
            <Button
              {...small}
              leftSection={<DeliveriesIcon size={14} aria-hidden />}
              aria-label={`Deliveries of ${name}`}
              aria-expanded={isOpen}
              onClick={deliveries.toggle}
            >
              Deliveries
            </Button>
            <RotateSecret webhook={webhook} onSecret={onSecret} />
            <SetActive webhook={webhook} />
            <DeleteWebhook webhook={webhook} />
          </Group>
          {isOpen && <Deliveries webhook={webhook} />}
        </div>
      }
    />
  );
}

function SendTest({ webhook, onSent }: { webhook: Webhook; onSent(): void }) {
  const client = useQueryClient();
  const name = nameOf(webhook);
  const send = useMutation({
    mutationFn: () => call(testWebhook, { params: { id: webhook.id } }),
    onSuccess: async ({ status, responseStatus, error }) => {
      if (status === 'succeeded') toastSuccess('Test event delivered', `${name} responded with ${responseStatus}.`);
      else toastError('Test event not delivered', error ?? 'Please try again.');
      onSent();
      await refreshWebhooks(client);
    },
    onError: (error) => toastError('Test event not sent', error.message),
  });
  const press = useSingleFlight(send.mutate);
  return (
    <Button
      {...small}
      leftSection={<Send size={14} aria-hidden />}
      aria-label={`Send test to ${name}`}
      loading={send.isPending}
      onClick={() => press(undefined)}
    >
      Send test
    </Button>
  );
}

function RotateSecret({ webhook, onSecret }: WebhookRowProps) {
  const client = useQueryClient();
  const name = nameOf(webhook);
  return (
    <ConfirmButton
      label="Rotate secret"
      name={`Rotate secret of ${name}`}
      icon={KeyRound}
      title="Rotate secret"
      destructive={false}
      run={() => withProof(() => call(rotateWebhookSecret, { params: { id: webhook.id } }))}
      onDone={({ secret }) => {
        onSecret(secret);
        return refreshWebhooks(client);
      }}
    >
      Requests to <b>{name}</b> are signed with a new secret, and for 24 hours also with the current one.
    </ConfirmButton>
  );
}

function SetActive({ webhook: { id, active, ...webhook } }: { webhook: Webhook }) {
  const client = useQueryClient();
  const name = nameOf(webhook);
  const Icon = active ? Pause : Play;
  const change = useMutation({
    mutationFn: () => call(updateWebhook, { params: { id }, body: { active: !active } }),
    onSuccess: async () => {
      if (active) toastSuccess('Webhook paused', `${name} gets no events until you enable it.`);
      else toastSuccess('Webhook enabled', `${name} gets the events from now on.`);
      await refreshWebhooks(client);
    },
    onError: (error) => toastError('Error changing webhook', error.message),
  });
  const press = useSingleFlight(change.mutate);
  return (
    <Button
      {...small}
      leftSection={<Icon size={14} aria-hidden />}
      aria-label={`${active ? 'Pause' : 'Enable'} ${name}`}
      loading={change.isPending}
      onClick={() => press(undefined)}
    >
      {active ? 'Pause' : 'Enable'}
    </Button>
  );
}

function DeleteWebhook({ webhook }: { webhook: Webhook }) {
  const client = useQueryClient();
  const name = nameOf(webhook);
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete ${name}`}
      icon={Trash2}
      title="Delete webhook"
      run={() => call(deleteWebhook, { params: { id: webhook.id } })}
      onDone={() => {
        toastSuccess('Webhook deleted', `${name} gets no more events.`);
        return refreshWebhooks(client);
      }}
      removesRow
    >
      <b>{name}</b> gets no more events, and its deliveries are deleted. This action cannot be undone.
    </ConfirmButton>
  );
}
