import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { deliveryDays, replayDelivery, type Webhook, type WebhookDelivery } from '#shared/accounts/webhooks.ts';
import { call } from '../../platform/api.ts';
import { useSingleFlight } from '../../platform/use-single-flight.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Facts } from '../../ui/section.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { Hint } from '../../ui/typography.ts';
import { DeliveryStatusLabel } from './labels.tsx';
import { deliveriesQuery, nameOf, refreshWebhooks } from './queries.ts';
import styles from './webhooks.module.css';

/** The deliveries of a webhook in pages. Each one opens to show its response and its body. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const [page, setPage] = useState(0);
  const list = useQuery(deliveriesQuery(webhook.id, page));
  const { data } = list;
  const name = nameOf(webhook);
  if (!data) return <QueryState query={list} height={44} title="Error loading deliveries" />;
  if (data.pagination.total === 0) {
    return <Hint>No events in the last {deliveryDays} days. Send a test event to try the webhook.</Hint>;
  }
  return (
    <div>
      <ul
        className={styles.deliveries}
        aria-label={`Deliveries of ${name}`}
        data-stale={list.isPlaceholderData || undefined}
      >
        {data.deliveries.map((delivery) => (
          <Delivery key={delivery.id} webhookId={webhook.id} delivery={delivery} />
        ))}
      </ul>
      <Pagination
        page={page}
        pageSize={data.pagination.pageSize}
        total={data.pagination.total}
        label={`Pages of deliveries of ${name}`}
        onChange={setPage}
      />
    </div>
  );
}

function Delivery({ webhookId, delivery }: { webhookId: number; delivery: WebhookDelivery }) {
  const { type, status, eventId, attempts, responseStatus, error, createdAt, nextAttemptAt, payload } = delivery;
  return (
    <li>
      <details>
        <summary>
          <span className={styles.summary}>
            <DeliveryStatusLabel status={status} />
            <code>{type}</code>
            <DateText value={createdAt} pattern="time" />
            {responseStatus !== null && <span>HTTP {responseStatus}</span>}
          </span>
        </summary>
        <div className={styles.delivery}>
          <Facts>
            <dt>webhook-id</dt>
            <dd data-mono>{eventId}</dd>
            <dt>Attempts</dt>
            <dd>{attempts}</dd>
            {error && (
              <>
                <dt>{attempts > 0 ? 'Last attempt' : 'Reason'}</dt>
                <dd>{error}</dd>
              </>
            )}
            {nextAttemptAt && (
              <>
                <dt>Next attempt</dt>
                <dd>
                  <DateText value={nextAttemptAt} pattern="time" />
                </dd>
              </>
            )}
          </Facts>
          <CodeBlock code={JSON.stringify(payload, undefined, 2)} label={`the body of ${eventId}`} wrap />
          <div>
            <Replay webhookId={webhookId} delivery={delivery} />
          </div>
        </div>
      </details>
    </li>
  );
}

function Replay({ webhookId, delivery: { id, eventId } }: { webhookId: number; delivery: WebhookDelivery }) {
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: () => call(replayDelivery, { params: { id: webhookId, deliveryId: id } }),
    onSuccess: async ({ status, responseStatus, error }) => {
      if (status === 'succeeded') toastSuccess('Event delivered', `The receiver responded with ${responseStatus}.`);
      else toastError('Event not delivered', error ?? 'Please try again.');
      await refreshWebhooks(client);
    },
    onError: (error) => toastError('Event not sent', error.message),
  });
  const press = useSingleFlight(replay.mutate);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RotateCw size={14} aria-hidden />}
      aria-label={`Replay ${eventId}`}
      loading={replay.isPending}
      onClick={() => press(undefined)}
    >
      Replay
    </Button>
  );
}
