import { Container, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ShieldX } from 'lucide-react';
import { useEffect } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button-link.tsx';

/** Milliseconds for reading why, before the home page comes. */
const leaveAfter = 5000;

/** What a signed-in person without the admin role sees on an admin screen. */
export function AccessDenied() {
  useTitle('Access Denied');
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: paths.home, replace: true }), leaveAfter);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Container size="sm" py={80}>
      <Stack align="center" gap="sm" ta="center">
        <ShieldX size={36} strokeWidth={1.5} aria-hidden />
        <Title order={1}>Access Denied</Title>
        <Text c="dimmed">This page is for administrators. You will be taken to the home page.</Text>
        <ButtonLink to={paths.home} replace mt="sm">
          Go there now
        </ButtonLink>
      </Stack>
    </Container>
  );
}
