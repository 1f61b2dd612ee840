import { Container, Group, Stack, Text, Title } from '@mantine/core';
import { ShieldX } from 'lucide-react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button-link.tsx';

/** What a signed-in person without the admin role sees on an admin screen. */
export function AccessDenied() {
  useTitle('Access Denied');
  return (
    <Container size="xs" py={80}>
      <Stack align="center" gap="sm" ta="center">
        <ShieldX size={36} strokeWidth={1.5} aria-hidden />
        <Title order={1}>Access Denied</Title>
        <Text c="dimmed">This page is for administrators. Your account does not have that role.</Text>
        <Group mt="sm">
          <ButtonLink to={paths.home}>Go to the home page</ButtonLink>
        </Group>
      </Stack>
    </Container>
  );
}
