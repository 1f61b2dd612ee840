import type { Website } from '#shared/reports/websites.ts';

/** What is deleted with a website. */
export function DeletedWithWebsite({ website }: { website: Pick<Website, 'domain' | 'reportCount'> }) {
  return (
    <>
      <b data-mono>{website.domain}</b> will be deleted with its {website.reportCount > 0 && 'reports, '}decisions,
      notes, tags, disavow files, shared links, watched hosts and alerts.
    </>
  );
}
