import { Group, Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileX2, Globe, SearchX, Upload } from 'lucide-react';
import type { Website } from '#shared/reports/websites.ts';
import { paths } from '../../paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { Hint, Strong } from '../../ui/typography.ts';
import { WatchStatus } from '../watch/watch.tsx';
import { WatchButton } from '../watch/watch-button.tsx';
import { websitesQuery } from '../websites/websites.ts';
import { WebsiteToxicity } from './backlinks.tsx';
import { DeleteWebsite } from './delete-website.tsx';
import { getWebsiteTitleId, useScreenState } from './screen.ts';
import type { AnalysisDraft } from './start-analysis.ts';
import styles from './website-card.module.css';
import { WebsiteReports } from './website-reports.tsx';
import { EditTags, TagList } from './websites/tags.tsx';
import { minListedWebsites, WebsiteList } from './websites/website-list.tsx';

interface PreviousReportsProps {
  onStart(draft?: Partial<AnalysisDraft>): void;
  /** Opens the dialog that uploads the exports of several websites. */
  onUploadSeveral(): void;
}

/**
 * The Previous Reports tab: a card with reports for each of the user's websites, a list of many websites, or only the
 * website in the URL.
 */
export function PreviousReports({ onStart, onUploadSeveral }: PreviousReportsProps) {
  const { search, go } = useScreenState();
  const { find, tag, sort, websites: websitesPage } = search;
  const websites = useQuery(websitesQuery);
  if (!websites.data) {
    const description = 'Failed to load your website profiles. Please try again.';
    return <QueryState query={websites} height={440} description={description} />;
  }
  if (websites.data.length === 0) {
    return (
      <EmptyState
        icon={Globe}
        title="No Website Profiles"
        description="Analyze the backlinks of a website to see its reports here."
      >
        <Button onClick={() => onStart()}>Analyze My Backlinks</Button>
      </EmptyState>
    );
  }
  if (!search.profile) {
    if (websites.data.length >= minListedWebsites) {
      return <WebsiteList websites={websites.data} onStart={onStart} onUploadSeveral={onUploadSeveral} />;
    }
    return (
      <Stack gap="md">
        {websites.data.map((website) => (
          <WebsiteCard key={website.id} website={website} onStart={onStart} />
        ))}
      </Stack>
    );
  }
  const chosen = websites.data.find((website) => website.id === search.profile);
  if (!chosen) {
    return (
      <EmptyState
        icon={SearchX}
        title="Website not found"
        description="It may have been deleted, or it belongs to another account."
      >
        <Button variant="default" onClick={() => go({ profile: undefined, tab: 'reports' })}>
          All websites
        </Button>
      </EmptyState>
    );
  }
  return (
    <Stack gap="md">
      {websites.data.length > 1 && (
        <Group gap="xs">
          <TextLink
            to={paths.riskAssessment}
            search={{ tab: 'reports', find, tag, sort, websites: websitesPage }}
            size="sm"
          >
            All websites
          </TextLink>
          <Hint>({websites.data.length})</Hint>
        </Group>
      )}
      <WebsiteCard website={chosen} onStart={onStart} isExpanded />
    </Stack>
  );
}

interface WebsiteCardProps {
  website: Website;
  onStart(draft?: Partial<AnalysisDraft>): void;
  /** Whether the card shows all reports instead of the newest few. */
  isExpanded?: boolean;
}

/** A website of the user with its latest toxicity, its reports, and buttons to upload and delete. */
function WebsiteCard({ website, onStart, isExpanded = false }: WebsiteCardProps) {
  const upload = () => onStart({ mode: 'existing', websiteId: website.id });
  return (
    <Paper withBorder radius="md" component="article" className={styles.card}>
      <header className={styles.head}>
        <div className={styles.words}>
          <Title order={2} size="h3" id={getWebsiteTitleId(website.id)} className={styles.domain}>
            <span data-mono>{website.domain}</span>
          </Title>
          <Group gap="4px 8px">
            <Hint>
              Added <DateText value={website.dateAdded} />
            </Hint>
            <TagList tags={website.tags} />
            <EditTags website={website} />
          </Group>
          <WatchStatus website={website} onUpload={upload} />
        </div>
        <WebsiteToxicity website={website} />
        <Group gap="xs" className={styles.actions}>
          <Button
            size="xs"
            variant="default"
            leftSection={<Upload size={14} aria-hidden />}
            onClick={upload}
            aria-label={`Upload Backlinks for ${website.domain}`}
          >
            Upload Backlinks
          </Button>
          <ButtonLink
            size="xs"
            variant="default"
            leftSection={<FileX2 size={14} aria-hidden />}
            to={paths.disavow}
            params={{ id: String(website.id) }}
            aria-label={`Build disavow file for ${website.domain}`}
          >
            Build disavow file
          </ButtonLink>
          <WatchButton website={website} />
          <DeleteWebsite website={website} />
        </Group>
      </header>
      {website.reportCount === 0 ? (
        <div className={styles.none}>
          <Strong>No reports yet</Strong>
          <Hint>Upload a backlink export to get your first report.</Hint>
        </div>
      ) : (
        <WebsiteReports website={website} isExpanded={isExpanded} />
      )}
    </Paper>
  );
}
