import { accountsTopics } from './accounts/topics.ts';
import { blacklistTopics } from './blacklist/topics.ts';
import { checksTopics } from './checks/topics.ts';
import { operationsTopics } from './operations/topics.ts';
import { platformTopics } from './platform/topics.ts';
import { reportsTopics } from './reports/topics.ts';
import type { Topic } from './topic.ts';

/** Every topic of the product. The file with the data of an account has its fields in this order. */
export const topics: readonly Topic[] = [
  ...accountsTopics,
  ...blacklistTopics,
  ...reportsTopics,
  ...checksTopics,
  ...operationsTopics,
  ...platformTopics,
];
