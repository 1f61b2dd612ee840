import { Container } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorState } from '../ui/error-state.tsx';

/** What stands in place of a screen that broke. */
export function Crash({ error, reset }: ErrorComponentProps) {
  return (
    <Container size="sm" py={80}>
      <ErrorState error={error} onRetry={reset} />
    </Container>
  );
}
