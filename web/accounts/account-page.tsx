import { Avatar, Badge, Button, Container, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { LogOut } from 'lucide-react';
import { initialsOf } from '../lib/initials.ts';
import { useUser } from '../lib/session.ts';
import { useLogOut } from '../lib/use-log-out.ts';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import classes from './account-page.module.css';

/** Who the person is here, what they may use, and the way out. */
export function AccountPage() {
  useTitle('My Account');
  const user = useUser();
  const logOut = useLogOut();
  return (
    <Container size={760} py="xl">
      <Title order={1} mb="lg">
        My Account
      </Title>
      <Stack gap="md">
        <Paper className={classes.card}>
          <Group gap="md" wrap="nowrap">
            <Avatar color="brand" size={48} radius="100%" aria-hidden>
              {initialsOf(user)}
            </Avatar>
            <div className={classes.person}>
              <Text fw={600}>{user.displayName || 'User'}</Text>
              <Text size="sm" c="dimmed">
                {user.email}
              </Text>
            </div>
          </Group>
          <Group gap="sm" mt="md">
            {user.isAdmin && (
              <ButtonLink to={paths.admin} variant="default">
                Admin Dashboard
              </ButtonLink>
            )}
            <ButtonLink to={paths.riskAssessment} variant="default">
              Risk Assessment
            </ButtonLink>
            <Button variant="default" leftSection={<LogOut size={15} aria-hidden />} onClick={() => void logOut()}>
              Logout
            </Button>
          </Group>
        </Paper>
        <Paper className={classes.card} component="section" aria-labelledby="account-information">
          <Title order={2} size="h3" id="account-information" mb="sm">
            Account information
          </Title>
          <dl className={classes.facts}>
            <dt>Username</dt>
            <dd>{user.username}</dd>
            <dt>Email</dt>
            <dd>{user.email}</dd>
            <dt>Display name</dt>
            <dd>{user.displayName || 'Not given'}</dd>
          </dl>
        </Paper>
        <Paper className={classes.card} component="section" aria-labelledby="account-access">
          <Group justify="space-between">
            <Title order={2} size="h3" id="account-access">
              Account access
            </Title>
            <Badge variant="light" color={user.subscriptionStatus === 'active' ? 'green' : 'gray'} tt="none">
              {user.subscriptionStatus}
            </Badge>
          </Group>
          <Text size="sm" mt="xs">
            Your plan is <strong>Full Access</strong>. Every feature is free.
          </Text>
        </Paper>
      </Stack>
    </Container>
  );
}
