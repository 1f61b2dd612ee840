import { CircleCheck, CirclePause, Clock, TriangleAlert } from 'lucide-react';
import type { Webhook, WebhookDelivery, WebhookEventType, WebhookFormat } from '#shared/accounts/webhooks.ts';
import { type Status, StatusLabel } from '../../ui/status-label.tsx';

export const eventLabels: Record<WebhookEventType, string> = {
  'alert.created': 'A listing changes that affects one of your websites',
  'report.completed': 'A report is ready',
  'feed.failed': 'The refresh of a feed fails',
  'feed.review': 'A copy of a feed needs review',
};

export const formatOptions: { value: WebhookFormat; label: string; description: string }[] = [
  { value: 'standard', label: 'JSON', description: 'For your own programs. Signed as Standard Webhooks specifies.' },
  { value: 'chat', label: 'Chat message', description: 'For incoming webhooks of Slack and Discord.' },
];

const deliveryLooks: Record<WebhookDelivery['status'], Status> = {
  pending: { name: 'Pending', Icon: Clock, tone: 'busy' },
  succeeded: { name: 'Delivered', Icon: CircleCheck, tone: 'good' },
  failed: { name: 'Failed', Icon: TriangleAlert, tone: 'bad' },
};

/** The status of a delivery: an icon and a word. */
export const DeliveryStatusLabel = ({ status }: Pick<WebhookDelivery, 'status'>) => (
  <StatusLabel status={deliveryLooks[status]} />
);

/** Whether a webhook receives events: an icon and a word. */
export function WebhookStateLabel({ webhook: { active, disabledReason } }: { webhook: Webhook }) {
  if (active) return <StatusLabel status={{ name: 'Active', Icon: CircleCheck, tone: 'good' }} />;
  if (disabledReason) return <StatusLabel status={{ name: 'Disabled', Icon: TriangleAlert, tone: 'bad' }} />;
  return <StatusLabel status={{ name: 'Paused', Icon: CirclePause }} />;
}
