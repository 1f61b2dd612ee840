import type { Topic } from '../topic.ts';
import { accountEventsTopic } from './account-events/topic.ts';
import { accountsTopic } from './accounts/topic.ts';
import { apiKeysTopic } from './api-keys/topic.ts';
import { messagesTopic } from './messages/topic.ts';
import { newsletterTopic } from './newsletter/topic.ts';
import { sessionsTopic } from './sessions/topic.ts';
import { setupTopic } from './setup/topic.ts';
import { subscriptionsTopic } from './subscriptions/topic.ts';
import { webhooksTopic } from './webhooks/topic.ts';

/** The topics of this district. */
export const accountsTopics: readonly Topic[] = [
  accountsTopic,
  sessionsTopic,
  accountEventsTopic,
  apiKeysTopic,
  webhooksTopic,
  subscriptionsTopic,
  newsletterTopic,
  messagesTopic,
  setupTopic,
];
