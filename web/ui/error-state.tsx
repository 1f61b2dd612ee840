import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../lib/api.ts';

interface Props {
  title?: string;
  /** What happened, in place of the error's own sentence. */
  description?: ReactNode;
  error?: unknown;
  onRetry?: () => void;
  retrying?: boolean;
}

/** What a screen or a part of it shows when it could not be loaded: what happened, and a way on. */
export function ErrorState({ title = 'Something went wrong', description, error, onRetry, retrying }: Props) {
  const sentence = description ?? (error instanceof ApiError ? error.message : 'Please try again.');
  const requestId = error instanceof ApiError ? error.body.requestId : undefined;
  return (
    <Alert color="red" variant="light" title={title} icon={<TriangleAlert size={18} aria-hidden />} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm" component="div">
          {sentence}
        </Text>
        {typeof requestId === 'string' && (
          <Text size="xs" c="dimmed">
            Error number <Code>{requestId}</Code>
          </Text>
        )}
        {onRetry && (
          <Button
            size="xs"
            variant="default"
            leftSection={<RotateCw size={14} aria-hidden />}
            onClick={onRetry}
            loading={retrying ?? false}
          >
            Retry
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
