import { Stack } from '@mantine/core';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { PanelSection } from './panel-section.tsx';
import { Users } from './users.tsx';

const screens = [
  {
    path: paths.adminSubmissions,
    name: 'Review Site Submissions',
    title: 'Site submissions',
    text: 'Sites suggested by users, waiting for a decision.',
  },
  {
    path: paths.adminInbox,
    name: 'Contact Messages',
    title: 'Contact messages',
    text: 'What people wrote through the contact form.',
  },
] as const;

/** The User Management tab: the ways to what users sent in, and their accounts. */
export function UsersTab() {
  return (
    <Stack gap="xl">
      <Stack gap="lg">
        {screens.map(({ path, name, title, text }) => (
          <PanelSection key={path} title={title} description={text}>
            <ButtonLink to={path} variant="default">
              {name}
            </ButtonLink>
          </PanelSection>
        ))}
      </Stack>
      <Users />
    </Stack>
  );
}
