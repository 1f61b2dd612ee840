import { Group, Paper, Text, Title } from '@mantine/core';
import { Trash2, Upload } from 'lucide-react';
import type { Profile } from '#shared/profiles.ts';
import { RiskBadge } from '../domains/domains.tsx';
import { Button } from '../ui/button.tsx';
import { DateText } from '../ui/date-text.tsx';
import type { AnalysisDraft } from './analysis-draft.ts';
import styles from './profile-card.module.css';
import { ProfileReports } from './profile-reports.tsx';
import { formatPercentage } from './toxicity.ts';
import { ToxicityBar } from './toxicity-bar.tsx';
import { useDeleteProfile } from './use-delete-profile.tsx';

interface ProfileCardProps {
  profile: Profile;
  onStart(draft?: Partial<AnalysisDraft>): void;
  /** The only card on the screen shows every report. */
  isAlone?: boolean;
}

/** A website of the caller: its newest toxicity, its reports, and what can be done with it. */
export function ProfileCard({ profile, onStart, isAlone = false }: ProfileCardProps) {
  const remove = useDeleteProfile(profile);
  const { lastReport } = profile;
  return (
    <Paper withBorder radius="md" component="article" className={styles.card}>
      <header className={styles.head}>
        <div className={styles.words}>
          <Title order={2} size="h3" className={styles.domain}>
            {profile.domain}
          </Title>
          <Text size="sm" c="dimmed">
            Added <DateText value={profile.dateAdded} />
          </Text>
        </div>
        {lastReport && (
          <div className={styles.last}>
            <Group gap="sm" wrap="nowrap" mb={6}>
              <Text fw={600} size="lg" lh={1.2}>
                {formatPercentage(lastReport.toxicityPercentage)}
              </Text>
              <RiskBadge level={lastReport.toxicityRating} />
            </Group>
            <ToxicityBar percentage={lastReport.toxicityPercentage} compact />
          </div>
        )}
        <Group gap="xs" className={styles.actions}>
          <Button
            size="xs"
            variant="default"
            leftSection={<Upload size={14} aria-hidden />}
            onClick={() => onStart({ mode: 'existing', profileId: profile.id })}
            aria-label={`Upload Backlinks of ${profile.domain}`}
          >
            Upload Backlinks
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<Trash2 size={14} aria-hidden />}
            loading={remove.isPending}
            onClick={remove.ask}
            aria-label={`Delete Profile ${profile.domain}`}
          >
            Delete Profile
          </Button>
        </Group>
      </header>
      {profile.reportCount === 0 ? (
        <div className={styles.none}>
          <Text size="sm" fw={500}>
            No reports yet
          </Text>
          <Text size="sm" c="dimmed">
            Upload a backlink export to get the first one.
          </Text>
        </div>
      ) : (
        <ProfileReports profile={profile} isAlone={isAlone} />
      )}
      {remove.dialog}
    </Paper>
  );
}
