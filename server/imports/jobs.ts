import { tidyCountsSoon } from '../domains/domains.ts';
import { job } from '../jobs/job.ts';
import { runImport } from './run-import.ts';

/** Given back as often as the process stops: what ends a hopeless import is counted on its row. */
export const importQueue = { name: 'import', retryLimit: 1000 };

export const importJob = job<{ importId: string }>({
  queue: importQueue,
  run: async (context, { importId }, signal) => {
    await runImport(context, importId, signal);
    await tidyCountsSoon(context);
  },
});
