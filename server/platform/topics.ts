import type { Topic } from '../topic.ts';
import { auditTopic } from './audit/topic.ts';
import { backupTopic } from './backup/topic.ts';
import { mailTopic } from './mail/topic.ts';
import { storageTopic } from './storage/topic.ts';
import { throttleTopic } from './throttle/topic.ts';
import { usageTopic } from './usage/topic.ts';

/** The topics of this district. */
export const platformTopics: readonly Topic[] = [
  auditTopic,
  backupTopic,
  mailTopic,
  storageTopic,
  throttleTopic,
  usageTopic,
];
