import { job } from '../../platform/jobs/job.ts';
import { createCrawler } from '../crawl/crawler.ts';
import { isCrawlEnabled } from '../crawl/setting.ts';
import { discoveryQueue } from './discoveries.ts';
import { visitWanted, wantCandidates } from './visit-sites.ts';

/** Visits the sites that wait. One that is interrupted is visited again, so that a killed process loses nothing. */
export const discoveryJob = job<object>({
  queue: discoveryQueue,
  async run(context, _, signal) {
    if (!(await isCrawlEnabled(context))) return;
    const crawler = createCrawler(context);
    await visitWanted(context, (url) => crawler.visit(url, { signal }), signal);
  },
});

export const candidateJob = job<object>({
  queue: { name: 'discovery-candidates', retryLimit: 0 },
  cron: '17 * * * *',
  async run(context) {
    if (await isCrawlEnabled(context)) await wantCandidates(context);
  },
});
