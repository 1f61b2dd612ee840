import { Group, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileX2, Globe, SearchX, Upload } from 'lucide-react';
import type { Profile } from '#shared/reports/profiles.ts';
import { paths } from '../../paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { Hint, Strong } from '../../ui/typography.ts';
import { profilesQuery } from '../profiles/profiles.ts';
import { WatchStatus } from '../watch/watch.tsx';
import { WatchButton } from '../watch/watch-button.tsx';
import { WebsiteToxicity } from './backlinks.tsx';
import { DeleteProfile } from './delete-profile.tsx';
import styles from './profile-card.module.css';
import { ProfileReports } from './profile-reports.tsx';
import { getWebsiteTitleId, useScreenState } from './screen.ts';
import type { AnalysisDraft } from './start-analysis.ts';
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
  const { find, tag, sort, websites } = search;
  const profiles = useQuery(profilesQuery);
  if (profiles.isError) {
    return (
      <ErrorState
        error={profiles.error}
        description="Failed to load your website profiles. Please try again."
        onRetry={() => void profiles.refetch()}
      />
    );
  }
  if (!profiles.data) {
    return (
      <Stack gap="md" aria-hidden>
        <Skeleton height={220} radius="md" />
        <Skeleton height={220} radius="md" />
      </Stack>
    );
  }
  if (profiles.data.length === 0) {
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
    if (profiles.data.length >= minListedWebsites) {
      return <WebsiteList websites={profiles.data} onStart={onStart} onUploadSeveral={onUploadSeveral} />;
    }
    return (
      <Stack gap="md">
        {profiles.data.map((profile) => (
          <ProfileCard key={profile.id} profile={profile} onStart={onStart} />
        ))}
      </Stack>
    );
  }
  const chosen = profiles.data.find((profile) => profile.id === search.profile);
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
      {profiles.data.length > 1 && (
        <Group gap="xs">
          <TextLink to={paths.riskAssessment} search={{ tab: 'reports', find, tag, sort, websites }} size="sm">
            All websites
          </TextLink>
          <Hint>({profiles.data.length})</Hint>
        </Group>
      )}
      <ProfileCard profile={chosen} onStart={onStart} isExpanded />
    </Stack>
  );
}

interface ProfileCardProps {
  profile: Profile;
  onStart(draft?: Partial<AnalysisDraft>): void;
  /** Whether the card shows all reports instead of the newest few. */
  isExpanded?: boolean;
}

/** A website of the user with its latest toxicity, its reports, and buttons to upload and delete. */
function ProfileCard({ profile, onStart, isExpanded = false }: ProfileCardProps) {
  const upload = () => onStart({ mode: 'existing', profileId: profile.id });
  return (
    <Paper withBorder radius="md" component="article" className={styles.card}>
      <header className={styles.head}>
        <div className={styles.words}>
          <Title order={2} size="h3" id={getWebsiteTitleId(profile.id)} className={styles.domain}>
            <span data-mono>{profile.domain}</span>
          </Title>
          <Group gap="4px 8px">
            <Hint>
              Added <DateText value={profile.dateAdded} />
            </Hint>
            <TagList tags={profile.tags} />
            <EditTags profile={profile} />
          </Group>
          <WatchStatus website={profile} onUpload={upload} />
        </div>
        <WebsiteToxicity website={profile} />
        <Group gap="xs" className={styles.actions}>
          <Button
            size="xs"
            variant="default"
            leftSection={<Upload size={14} aria-hidden />}
            onClick={upload}
            aria-label={`Upload Backlinks for ${profile.domain}`}
          >
            Upload Backlinks
          </Button>
          <ButtonLink
            size="xs"
            variant="default"
            leftSection={<FileX2 size={14} aria-hidden />}
            to={paths.disavow}
            params={{ id: String(profile.id) }}
            aria-label={`Disavow file of ${profile.domain}`}
          >
            Disavow file
          </ButtonLink>
          <WatchButton website={profile} />
          <DeleteProfile profile={profile} />
        </Group>
      </header>
      {profile.reportCount === 0 ? (
        <div className={styles.none}>
          <Strong>No reports yet</Strong>
          <Hint>Upload a backlink export to get your first report.</Hint>
        </div>
      ) : (
        <ProfileReports profile={profile} isExpanded={isExpanded} />
      )}
    </Paper>
  );
}
