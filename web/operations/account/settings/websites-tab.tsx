import { Group, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Globe } from 'lucide-react';
import type { Website } from '#shared/reports/websites.ts';
import { accountQuery } from '../../../accounts/sessions/queries.ts';
import { paths } from '../../../paths.ts';
import { describeUsage } from '../../../platform/describe-usage.ts';
import { formatBytes, plural } from '../../../platform/format.ts';
import { WebsiteToxicity } from '../../../reports/backlinks/backlinks.tsx';
import { WatchStatus } from '../../../reports/watch/watch.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Row, RowList } from '../../../ui/row-list.tsx';
import { Hint } from '../../../ui/typography.ts';
import { polledWebsitesQuery } from '../queries.ts';
import styles from './account-list.module.css';

export function WebsitesTab() {
  const websites = useQuery(polledWebsitesQuery);
  const { data } = websites;
  if (!data)
    return (
      <QueryState query={websites} height={148} description="Failed to load your website profiles. Please try again." />
    );
  if (data.length === 0) {
    return (
      <EmptyState
        icon={Globe}
        title="No Website Profiles"
        description="Analyze the backlinks of a website to see it here with its reports."
      >
        <ButtonLink to={paths.riskAssessment}>Analyze My Backlinks</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <>
      <RowList aria-label="My Websites">
        {data.map((website) => (
          <WebsiteRow key={website.id} website={website} />
        ))}
      </RowList>
      <StorageUse />
    </>
  );
}

/** What the account stores, with its limits. */
function StorageUse() {
  const { data } = useQuery(accountQuery);
  if (!data) return null;
  const { usedBytes, limitBytes, kinds } = data.storage;
  return (
    <Hint component="div" className={styles.storage}>
      <div>
        {formatBytes(usedBytes)}
        {limitBytes !== null && ` of ${formatBytes(limitBytes)}`} of storage used
      </div>
      <div>{describeUsage(kinds)}</div>
    </Hint>
  );
}

function WebsiteRow({ website }: { website: Website }) {
  const { id, domain, dateAdded, lastReport, reportCount, openReviews } = website;
  return (
    <Row
      text={
        <>
          <Title order={2} size="h4">
            <span data-mono>{domain}</span>
          </Title>
          <Hint>
            {lastReport ? (
              <>
                Last report <DateText value={lastReport.dateCreated} /> · {plural(reportCount, 'report')}
                {openReviews > 0 && ` · ${plural(openReviews, 'domain')} to review`}
              </>
            ) : (
              <>
                Added <DateText value={dateAdded} /> · No reports yet
              </>
            )}
          </Hint>
          <WatchStatus website={website} />
        </>
      }
    >
      <WebsiteToxicity website={website} />
      <Group gap={8}>
        <ButtonLink
          to={paths.riskAssessment}
          search={{ profile: id }}
          variant="default"
          size="xs"
          aria-label={`View Reports for ${domain}`}
        >
          View Reports
        </ButtonLink>
        <ButtonLink
          to={paths.disavow}
          params={{ id: String(id) }}
          variant="default"
          size="xs"
          aria-label={`Build disavow file for ${domain}`}
        >
          Build disavow file
        </ButtonLink>
      </Group>
    </Row>
  );
}
