import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import panel from '../../ui/panel.module.css';
import { Hint } from '../../ui/typography.ts';
import styles from './panel-section.module.css';

interface PanelSectionProps {
  title: string;
  description: ReactNode;
  danger?: boolean;
  /** The actions, next to the text on wide screens. */
  children: ReactNode;
  /** Content below the text and the actions. */
  below?: ReactNode;
}

/** A section of an admin screen: title, description and actions. */
export function PanelSection({ title, description, danger = false, children, below }: PanelSectionProps) {
  return (
    <section className={panel.panel} data-danger={danger || undefined}>
      <div className={styles.row}>
        <div className={styles.text}>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Hint component="div">{description}</Hint>
        </div>
        <Group gap="sm">{children}</Group>
      </div>
      {below}
    </section>
  );
}
