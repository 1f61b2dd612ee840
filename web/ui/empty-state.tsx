import { Stack, Text, Title } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface Props {
  title: string;
  description?: ReactNode;
  icon?: LucideIcon;
  /** The level of the title among the headings of the screen. */
  order?: 2 | 3 | 4;
  /** The next step: a button or a link. */
  children?: ReactNode;
}

/** What stands where there is nothing to show: what that means, and a next step. */
export function EmptyState({ title, description, icon: Icon, order = 2, children }: Props) {
  return (
    <Stack align="center" gap={6} className={classes.state}>
      {Icon && (
        <div className={classes.icon}>
          <Icon size={22} strokeWidth={1.75} aria-hidden />
        </div>
      )}
      <Title order={order} size="h4">
        {title}
      </Title>
      {description && (
        <Text size="sm" c="dimmed" maw={440} component="div">
          {description}
        </Text>
      )}
      {children && <div className={classes.next}>{children}</div>}
    </Stack>
  );
}
