import { Badge, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { paths } from '../paths.ts';
import classes from './admin-page.module.css';

interface Props {
  to: (typeof paths)[keyof typeof paths];
  search?: Record<string, string>;
  Icon: LucideIcon;
  title: string;
  /** What it is for, in a sentence. */
  children: ReactNode;
  /** How much waits there; undefined until known. */
  count?: number | undefined;
  countWord?: string;
}

/** One of the admins' screens: what it is called, what it is for, and how much waits there. */
export function Tool({ to, search, Icon, title, children, count, countWord }: Props) {
  return (
    <Link to={to} search={search} className={classes.tool}>
      <Icon size={20} strokeWidth={1.75} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <div className={classes.head}>
          <Title order={3} size="h4">
            {title}
          </Title>
          {count !== undefined && count > 0 && (
            <Badge variant="light" tt="none">
              {count} {countWord}
            </Badge>
          )}
        </div>
        <Text size="sm" c="dimmed" mt={2}>
          {children}
        </Text>
      </div>
    </Link>
  );
}
