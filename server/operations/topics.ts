import type { Topic } from '../topic.ts';
import { accountAccessTopic } from './account-access/topic.ts';
import { accountDataTopic } from './account-data/topic.ts';
import { adminTopic } from './admin/topic.ts';

/** The topics of this district. */
export const operationsTopics: readonly Topic[] = [accountAccessTopic, accountDataTopic, adminTopic];
