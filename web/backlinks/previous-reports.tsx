import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Globe, SearchX } from 'lucide-react';
import { paths } from '../paths.ts';
import { profilesQuery } from '../profiles/profiles.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { TextLink } from '../ui/text-link.tsx';
import type { AnalysisDraft } from './analysis-draft.ts';
import { ProfileCard } from './profile-card.tsx';
import { useScreen } from './use-screen.ts';

/** The Previous Reports tab: the caller's websites with their reports, or the one that the address names. */
export function PreviousReports({ onStart }: { onStart(draft?: Partial<AnalysisDraft>): void }) {
  const { search, go } = useScreen();
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
  if (!profiles.data) return <CardsSkeleton />;
  if (profiles.data.length === 0) {
    return (
      <EmptyState
        icon={Globe}
        title="No Website Profiles"
        description="Analyze the backlinks of a website, and it appears here with its reports."
      >
        <Button onClick={() => onStart()}>Analyze My Backlinks</Button>
      </EmptyState>
    );
  }
  if (!search.profile) {
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
          <TextLink to={paths.riskAssessment} search={{ tab: 'reports' }} size="sm">
            All websites
          </TextLink>
          <Text size="sm" c="dimmed">
            ({profiles.data.length})
          </Text>
        </Group>
      )}
      <ProfileCard profile={chosen} onStart={onStart} isAlone />
    </Stack>
  );
}

function CardsSkeleton() {
  return (
    <Stack gap="md" aria-hidden>
      <Skeleton height={220} radius="md" />
      <Skeleton height={220} radius="md" />
    </Stack>
  );
}
