import type { Topic } from '../topic.ts';
import { accountDataTopic } from './account-data/topic.ts';
import { adminTopic } from './admin/topic.ts';
import { demoTopic } from './demo/topic.ts';

/** The topics of this district. */
export const operationsTopics: readonly Topic[] = [accountDataTopic, adminTopic, demoTopic];
