import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { apiKeyLimits } from '#shared/api-keys.ts';
import { useUser } from '../session/session.tsx';
import rows from '../ui/row-list.module.css';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { AccountSection } from './account-section.tsx';
import { ApiKeyForm } from './api-key-form.tsx';
import { ApiKeyRow } from './api-key-row.tsx';
import { ApiKeyUse } from './api-key-use.tsx';
import { apiKeysQuery } from './queries.ts';

/** The person's API keys, and a way to another one. */
export function ApiKeyTab() {
  const { id } = useUser();
  const keys = useQuery(apiKeysQuery(id));
  const { data } = keys;
  if (!data) {
    return keys.isError ? (
      <ErrorState title="Error loading API keys" error={keys.error} onRetry={() => void keys.refetch()} />
    ) : (
      <Skeleton height={260} radius="md" aria-hidden />
    );
  }
  return (
    <Stack gap="md">
      <AccountSection
        title="Create an API key"
        description={
          <>
            A key is for your own programs, {apiKeyLimits.requestsADay} requests a day each, counted from 00:00 UTC. Who
            has it acts in your name: keep it secret.
          </>
        }
        aside={
          <Text size="sm" c="dimmed">
            {data.length} of {apiKeyLimits.maxKeys} keys
          </Text>
        }
      >
        <ApiKeyForm isFull={data.length >= apiKeyLimits.maxKeys} />
      </AccountSection>
      {data.length === 0 ? (
        <EmptyState
          icon={KeyRound}
          title="No API keys yet"
          description="Create the first one above. You can show and copy it again whenever you need it."
        />
      ) : (
        <ul className={rows.list} aria-label="API Keys">
          {data.map((key) => (
            <ApiKeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      <ApiKeyUse apiKey={data.find(({ keyValue }) => keyValue !== null)} />
    </Stack>
  );
}
