import type { Topic } from '../topic.ts';
import { apiDocsTopic } from './api-docs/topic.ts';
import { checksTopic } from './checks/topic.ts';
import { domainListsTopic } from './domain-lists/topic.ts';
import { domainPagesTopic } from './domain-pages/topic.ts';
import { mcpTopic } from './mcp/topic.ts';
import { publishedListTopic } from './published-list/topic.ts';
import { rangeTopic } from './range/topic.ts';

/** The topics of this district. */
export const checksTopics: readonly Topic[] = [
  apiDocsTopic,
  checksTopic,
  domainListsTopic,
  domainPagesTopic,
  mcpTopic,
  publishedListTopic,
  rangeTopic,
];
