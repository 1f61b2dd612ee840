import type { Topic } from '../../topic.ts';
import { proofJob } from './jobs.ts';
import { proofRetention } from './store-retention.ts';

export const proofsTopic: Topic = {
  jobs: [proofJob],
  retention: [proofRetention],
  tables: { evidence_proofs: {} },
};
