import { Container, Group, Stack, Text, Title } from '@mantine/core';
import { useSession } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button-link.tsx';

/** What stands at an address where nothing is. */
export function NotFound() {
  useTitle('404 Page Not Found');
  const { user } = useSession();
  return (
    <Container size="xs" py={96}>
      <Stack align="center" gap="xs" ta="center">
        <Title order={1}>404 Page Not Found</Title>
        <Text c="dimmed">There is nothing at this address. It may have moved, or the link has a typing error.</Text>
        <Group mt="md" gap="sm" justify="center">
          <ButtonLink to={paths.home}>Home</ButtonLink>
          <ButtonLink to={paths.dashboard} variant="default">
            Blacklist
          </ButtonLink>
          <ButtonLink to={paths.riskAssessment} variant="default">
            Risk Assessment
          </ButtonLink>
          <ButtonLink to={user ? paths.account : paths.auth} variant="default">
            {user ? 'My Account' : 'Sign In'}
          </ButtonLink>
        </Group>
      </Stack>
    </Container>
  );
}
