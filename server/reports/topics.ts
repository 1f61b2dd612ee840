import type { Topic } from '../topic.ts';
import { alertFeedTopic } from './alert-feed/topic.ts';
import { alertsTopic } from './alerts/topic.ts';
import { backlinksTopic } from './backlinks/topic.ts';
import { decisionsTopic } from './decisions/topic.ts';
import { digestsTopic } from './digests/topic.ts';
import { disavowFilesTopic } from './disavow-files/topic.ts';
import { liveLinksTopic } from './live-links/topic.ts';
import { reportBrandTopic } from './report-brand/topic.ts';
import { reportsTopic } from './reports/topic.ts';
import { watchTopic } from './watch/topic.ts';
import { websitesTopic } from './websites/topic.ts';

/** The topics of this district. */
export const reportsTopics: readonly Topic[] = [
  websitesTopic,
  backlinksTopic,
  reportsTopic,
  reportBrandTopic,
  liveLinksTopic,
  decisionsTopic,
  disavowFilesTopic,
  watchTopic,
  alertsTopic,
  alertFeedTopic,
  digestsTopic,
];
