import { Container, Title } from '@mantine/core';
import { useTitle } from '../lib/use-title.ts';

export function NotFound() {
  useTitle('404 Page Not Found');
  return (
    <Container size="xs" py={80}>
      <Title order={1}>404 Page Not Found</Title>
    </Container>
  );
}
