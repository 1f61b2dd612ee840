import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { pagePaths } from '#shared/pages.ts';
import { PanelSection } from './panel-section.tsx';
import { userCountQuery } from './queries.ts';

const number = new Intl.NumberFormat('en-US');

const screens = [
  {
    path: '/admin/submissions',
    name: 'Review Site Submissions',
    title: 'Site submissions',
    text: 'Sites suggested by users, waiting for a decision.',
  },
  {
    path: '/admin/inbox',
    name: 'Contact Messages',
    title: 'Contact messages',
    text: 'What people wrote through the contact form.',
  },
];

/** The User Management tab: how many accounts there are, and the ways to what users sent in. */
export function UsersTab() {
  const users = useQuery(userCountQuery);
  return (
    <Stack gap="lg">
      {screens.map(({ path, name, title, text }) => {
        const exists = (pagePaths as readonly string[]).includes(path);
        return (
          <PanelSection
            key={path}
            title={title}
            description={exists ? text : `${text} This screen is not available yet.`}
          >
            {exists ? (
              <Button component="a" href={path} variant="default">
                {name}
              </Button>
            ) : (
              <Button variant="default" disabled>
                {name}
              </Button>
            )}
          </PanelSection>
        );
      })}
      <PanelSection title="Accounts" description="People who have registered.">
        <b>{users.data ? number.format(users.data.count) : '–'}</b>
      </PanelSection>
    </Stack>
  );
}
