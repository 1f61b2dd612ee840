import { recordSearch } from '../accounts/accounts/accounts.ts';
import type { Topic } from '../topic.ts';
import { appealsTopic } from './appeals/topic.ts';
import { crawlTopic } from './crawl/topic.ts';
import { discoveriesTopic } from './discoveries/topic.ts';
import { createDomainsTopic } from './domains/topic.ts';
import { feedsTopic } from './feeds/topic.ts';
import { guardTopic } from './guard/topic.ts';
import { heldTopic } from './held/topic.ts';
import { importsTopic } from './imports/topic.ts';
import { proofsTopic } from './proofs/topic.ts';
import { savedViewsTopic } from './saved-views/topic.ts';
import { sourcesTopic } from './sources/topic.ts';
import { submissionsTopic } from './submissions/topic.ts';
import { updatesTopic } from './updates/topic.ts';

/** The topics of this district. */
export const blacklistTopics: readonly Topic[] = [
  createDomainsTopic(recordSearch),
  sourcesTopic,
  importsTopic,
  feedsTopic,
  guardTopic,
  heldTopic,
  submissionsTopic,
  discoveriesTopic,
  appealsTopic,
  crawlTopic,
  proofsTopic,
  savedViewsTopic,
  updatesTopic,
];
