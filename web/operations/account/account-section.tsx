import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './account-section.module.css';

interface AccountSectionProps {
  title: string;
  description?: ReactNode;
  danger?: boolean;
  /** Shown next to the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A section of the account screen with its own heading. */
export function AccountSection({ title, description, danger = false, aside, children }: AccountSectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id} data-danger={danger || undefined}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {description && (
        <Text size="sm" c="dimmed" mt={4} maw="68ch" component="div">
          {description}
        </Text>
      )}
      <div className={styles.body}>{children}</div>
    </section>
  );
}

/** Sections in two columns on wide screens. */
export function AccountSections({ children }: { children: ReactNode }) {
  return <div className={styles.sections}>{children}</div>;
}

/** A list of `dt` and `dd` elements. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}
