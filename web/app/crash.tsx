import { Container, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTitle } from '../lib/use-title.ts';
import { ErrorState } from '../ui/error-state.tsx';

/** What stands in place of a screen that broke, with the number under which the server has logged it, where it has. */
export function Crash({ error, reset }: Partial<ErrorComponentProps>) {
  useTitle('Error');
  return (
    <Container size="sm" py={64}>
      <Title order={1} mb="md">
        This page could not be shown
      </Title>
      <ErrorState error={error} {...(reset && { onRetry: reset })} />
    </Container>
  );
}
