import { accountsTopics } from './accounts/topics.ts';
import { blacklistTopics } from './blacklist/topics.ts';
import { checksTopics } from './checks/topics.ts';
import { operationsTopics } from './operations/topics.ts';
import { platformTopics } from './platform/topics.ts';
import { reportsTopics } from './reports/topics.ts';
import type { Topic } from './topic.ts';

/** Every topic of the product, from the lowest district to the highest. */
export const topics: readonly Topic[] = [
  ...platformTopics,
  ...accountsTopics,
  ...blacklistTopics,
  ...reportsTopics,
  ...checksTopics,
  ...operationsTopics,
];
