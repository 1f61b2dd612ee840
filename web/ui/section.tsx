import { Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './section.module.css';
import { Lead } from './typography.ts';

interface SectionProps {
  title: string;
  description?: ReactNode;
  danger?: boolean;
  /** Shown next to the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a screen with its own heading, on a surface of its own. */
export function Section({ title, description, danger = false, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id} data-danger={danger || undefined}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {description && <Lead component="div">{description}</Lead>}
      <div className={styles.body}>{children}</div>
    </section>
  );
}

/** Sections in two columns on wide screens. */
export function Sections({ children }: { children: ReactNode }) {
  return <div className={styles.sections}>{children}</div>;
}

/** A list of `dt` and `dd` elements. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

/** The buttons below the content of a section. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
