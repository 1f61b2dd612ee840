import { Container, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ClipboardCheck, FileUp, Globe, Inbox, ScrollText, SlidersHorizontal } from 'lucide-react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import { DangerZone } from './danger-zone.tsx';
import { DashboardCards } from './dashboard-cards.tsx';
import { pendingQuery, unreadQuery } from './queries.ts';
import { Tool } from './tool.tsx';

/** Where an admin starts: how things stand, and what there is to do. */
export function AdminPage() {
  useTitle('Admin dashboard');
  const unread = useQuery(unreadQuery).data;
  const pending = useQuery(pendingQuery).data;
  return (
    <Container size="var(--page-width)" pt={28} pb={40}>
      <Title order={1}>Admin dashboard</Title>
      <Text c="dimmed" mt={4} mb="lg">
        How the blacklist stands, and what waits for you.
      </Text>
      <DashboardCards />
      <Title order={2} size="h3" mt="xl" mb="md">
        Tools
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing="md">
        <Tool to={paths.domains} search={{ dialog: 'import' }} Icon={FileUp} title="Import Domains">
          Fill the blacklist from a CSV file.
        </Tool>
        <Tool to={paths.adminProfiles} Icon={Globe} title="Manage Profiles">
          Give websites to another account, delete them, find those without an owner.
        </Tool>
        <Tool to={paths.adminInbox} Icon={Inbox} title="Message Inbox" count={unread} countWord="unread">
          Read and answer what people wrote.
        </Tool>
        <Tool
          to={paths.adminSubmissions}
          Icon={ClipboardCheck}
          title="Site Submissions"
          count={pending}
          countWord="pending"
        >
          Decide on sites that users suggested.
        </Tool>
        <Tool to={paths.adminPanel} search={{ tab: 'system' }} Icon={ScrollText} title="System Logs">
          What ran in the background, and what admins did.
        </Tool>
        <Tool to={paths.adminPanel} Icon={SlidersHorizontal} title="Admin Panel">
          Imports, the database, accounts and the server.
        </Tool>
      </SimpleGrid>
      <Title order={2} size="h3" mt="xl" mb="md">
        Danger zone
      </Title>
      <DangerZone />
    </Container>
  );
}
