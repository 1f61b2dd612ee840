import { createCrawler } from '../../blacklist/crawl/crawler.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { executeRun } from '../../platform/jobs/execute-run.ts';
import { job } from '../../platform/jobs/job.ts';
import { checkLinks } from './check-links.ts';

/** Practically unlimited retries: the row limits the attempts, because restarts of the server must not use them up. */
export const linkCheckQueue = { name: 'link-checks', retryLimit: 1000 };

export const queuedMessage = 'Waiting to start';

export const linkCheckJob = job<{ checkId: number }>({
  queue: linkCheckQueue,
  concurrency: 3,
  run: (context, { checkId }, signal) =>
    executeRun(
      context,
      {
        table: 'link_checks',
        queuedMessage,
        failedMessage: 'Something went wrong on our side. Please try again. What was found is kept.',
        isRefusal: (error) => error instanceof HttpError && error.code === 'crawl_disabled',
      },
      { id: checkId, stopping: signal },
      (run) => checkLinks(context, checkId, run, createCrawler(context)),
    ),
});
