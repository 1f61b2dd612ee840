import { CircleCheck, CirclePause, Clock, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { Webhook, WebhookDelivery, WebhookEventType, WebhookFormat } from '#shared/accounts/webhooks.ts';
import styles from './webhooks.module.css';

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

interface Look {
  name: string;
  Icon: LucideIcon;
  tone?: 'good' | 'bad' | 'busy';
}

const deliveryLooks: Record<WebhookDelivery['status'], Look> = {
  pending: { name: 'Pending', Icon: Clock, tone: 'busy' },
  succeeded: { name: 'Delivered', Icon: CircleCheck, tone: 'good' },
  failed: { name: 'Failed', Icon: TriangleAlert, tone: 'bad' },
};

/** The status of a delivery: an icon and a word. */
export const DeliveryStatusLabel = ({ status }: Pick<WebhookDelivery, 'status'>) => (
  <Label look={deliveryLooks[status]} />
);

/** Whether a webhook receives events: an icon and a word. */
export function WebhookStateLabel({ webhook: { active, disabledReason } }: { webhook: Webhook }) {
  if (active) return <Label look={{ name: 'Active', Icon: CircleCheck, tone: 'good' }} />;
  if (disabledReason) return <Label look={{ name: 'Disabled', Icon: TriangleAlert, tone: 'bad' }} />;
  return <Label look={{ name: 'Paused', Icon: CirclePause }} />;
}

function Label({ look: { name, Icon, tone } }: { look: Look }) {
  return (
    <span className={styles.status} data-tone={tone}>
      <Icon size={15} strokeWidth={2} aria-hidden />
      {name}
    </span>
  );
}
