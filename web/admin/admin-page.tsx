import { Container, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Database, type LucideIcon, SlidersHorizontal } from 'lucide-react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import classes from './admin-page.module.css';

/** Where an admin starts: what there is to do, as cards. */
export function AdminPage() {
  useTitle('Admin dashboard');
  return (
    <Container size="var(--page-width)" py="xl">
      <Title order={1} mb="lg">
        Admin dashboard
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Tool
          to={paths.adminPanel}
          Icon={SlidersHorizontal}
          title="Admin Panel"
          text="Import domains, recompute risk levels, see the state of the blacklist."
        />
        <Tool
          to={paths.domains}
          Icon={Database}
          title="Import Domains"
          text="Add, edit and import domains in the blacklist."
        />
      </SimpleGrid>
    </Container>
  );
}

interface ToolProps {
  to: typeof paths.adminPanel | typeof paths.domains;
  Icon: LucideIcon;
  title: string;
  text: string;
}

function Tool({ to, Icon, title, text }: ToolProps) {
  return (
    <Link to={to} className={classes.tool}>
      <Icon size={20} strokeWidth={1.75} aria-hidden className={classes.icon} />
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed" mt={2}>
          {text}
        </Text>
      </div>
    </Link>
  );
}
