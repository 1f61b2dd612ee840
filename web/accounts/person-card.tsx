import { Avatar, Text } from '@mantine/core';
import { LogOut } from 'lucide-react';
import { paths } from '../paths.ts';
import { PersonPicture, useLogOut, useUser } from '../session/session.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import classes from './account-page.module.css';

/** The person, and the ways to where they work and out. */
export function PersonCard() {
  const user = useUser();
  const logOut = useLogOut();
  return (
    <div className={classes.person}>
      <div className={classes.words}>
        <Avatar color="brand" size={48} radius="100%" aria-hidden>
          <PersonPicture user={user} />
        </Avatar>
        <div>
          <Text fw={600}>{user.displayName || 'User'}</Text>
          <Text size="sm" c="dimmed">
            {user.email}
          </Text>
        </div>
      </div>
      <div className={classes.ways}>
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
      </div>
    </div>
  );
}
