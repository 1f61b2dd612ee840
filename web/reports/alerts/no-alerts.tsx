import { Bell, Globe, SearchX } from 'lucide-react';
import type { Website } from '#shared/reports/websites.ts';
import { paths } from '../../paths.ts';
import { plural } from '../../platform/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { AlertsUrl } from './alert-filters.tsx';
import { isFiltered, noFilter } from './search.ts';

/** Why there are no alerts, and what to do next. */
export function NoAlerts({ url: { search, show }, websites }: { url: AlertsUrl; websites: readonly Website[] }) {
  if (isFiltered(search)) {
    const isUnreadOnly = search.unread && !search.website && !search.event;
    return (
      <EmptyState
        icon={SearchX}
        title={isUnreadOnly ? 'No unread alerts' : 'No matching alerts'}
        description={isUnreadOnly ? 'You have read all alerts.' : 'Try other filters.'}
      >
        <Button variant="default" onClick={() => void show(noFilter)}>
          Show all alerts
        </Button>
      </EmptyState>
    );
  }
  const watched = websites.filter(({ watch }) => watch.enabled && watch.hosts > 0);
  if (watched.length > 0) {
    const hosts = watched.reduce((sum, { watch }) => sum + watch.hosts, 0);
    return (
      <EmptyState
        icon={Bell}
        title="No alerts yet"
        description={`${plural(watched.length, 'website')} with ${plural(hosts, 'host')} ${watched.length === 1 ? 'is' : 'are'} watched. After every change of the blacklist, they are compared with it.`}
      >
        <ButtonLink variant="default" to={paths.account} search={{ tab: 'alerts' }}>
          Alert settings
        </ButtonLink>
      </EmptyState>
    );
  }
  const hasExport = websites.some(({ watch }) => watch.hosts > 0);
  return (
    <EmptyState
      icon={Globe}
      title={hasExport ? 'No website is watched' : websites.length > 0 ? 'No export yet' : 'No websites yet'}
      description={
        hasExport
          ? 'Turn on the watch of a website to get alerts.'
          : 'Upload the backlink export of a website. Its hosts are then compared with every change of the blacklist.'
      }
    >
      {hasExport ? (
        <ButtonLink to={paths.account} search={{ tab: 'alerts' }}>
          Alert settings
        </ButtonLink>
      ) : (
        <ButtonLink to={paths.riskAssessment}>Upload backlinks</ButtonLink>
      )}
    </EmptyState>
  );
}
