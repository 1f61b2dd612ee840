import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SharedReport } from '#shared/reports/report-shares.ts';
import { DateText } from '../../../ui/date-text.tsx';
import { Hint } from '../../../ui/typography.ts';
import { PrintDate } from './print.tsx';
import styles from './report-page.module.css';

interface ReportHeaderProps {
  report: Pick<SharedReport, 'domain' | 'dateCreated'>;
  /** The level of the title among the headings of the screen. */
  order?: 1 | 2 | 3;
  /** The way to the reports of the website. */
  link?: ReactNode;
  /** The name and logo of the firm. */
  brand?: ReactNode;
  /** What the user can do with the report. */
  children: ReactNode;
}

/** The title of a report, and what its owner or a reader can do with it. */
export function ReportHeader(props: ReportHeaderProps) {
  const { report, order = 1, link, brand, children } = props;
  return (
    <Group justify="space-between" align="flex-end" gap="var(--mantine-spacing-sm) var(--mantine-spacing-lg)">
      <div className={styles.words}>
        {brand}
        <Group gap="0 12px">
          {link}
          <Hint component="div">
            Analyzed <DateText value={report.dateCreated} pattern="time" />
          </Hint>
        </Group>
        <Title order={order} {...(order > 1 && { size: 'h3' })}>
          Report on <span data-mono>{report.domain}</span>
        </Title>
        <PrintDate />
      </div>
      <Group gap="xs" className={styles.actions}>
        {children}
      </Group>
    </Group>
  );
}
