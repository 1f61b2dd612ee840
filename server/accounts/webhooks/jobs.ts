import type { RepeatedWork } from '../../platform/jobs/job.ts';
import { sendDueDeliveries } from './deliver.ts';

export const repeatedDeliveries: RepeatedWork = { name: 'webhook deliveries', everySeconds: 1, run: sendDueDeliveries };
