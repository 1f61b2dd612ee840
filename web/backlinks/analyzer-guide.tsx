import { Paper, Text, Title } from '@mantine/core';
import { ScanSearch } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import type { AnalysisDraft } from './analysis-draft.ts';
import styles from './analyzer-guide.module.css';
import { RunningAnalyses } from './running-analyses.tsx';

const steps = [
  {
    title: 'Export backlinks',
    text: 'Download the backlinks or referring domains of your website from Ahrefs, Semrush, Moz, Majestic or Google Search Console.',
  },
  {
    title: 'Upload CSV',
    text: 'Upload the file as it is. The tool, the columns and the encoding are recognised for you.',
  },
  {
    title: 'Get results',
    text: 'See the share of harmful domains, every harmful backlink with its reason, and export what you need.',
  },
];

/** What the analyzer shows before an analysis: analyses still under way, the way to start one, three steps. */
export function AnalyzerGuide({ onStart }: { onStart(draft?: Partial<AnalysisDraft>): void }) {
  return (
    <>
      <RunningAnalyses />
      <Paper withBorder radius="md" className={styles.panel}>
        <div className={styles.lead}>
          <div>
            <Title order={2} size="h3">
              Find paid links that point at your website
            </Title>
            <Text c="dimmed" mt={4} maw="60ch">
              Your backlink export is compared with every domain of the blacklist. The report stays with your website,
              so that you can follow it over time.
            </Text>
          </div>
          <Button size="md" leftSection={<ScanSearch size={18} aria-hidden />} onClick={() => onStart()}>
            Analyze My Backlinks
          </Button>
        </div>
        <ol className={styles.steps}>
          {steps.map((step, index) => (
            <li key={step.title} className={styles.step}>
              <span className={styles.number} aria-hidden>
                {index + 1}
              </span>
              <Text fw={600}>{step.title}</Text>
              <Text size="sm" c="dimmed">
                {step.text}
              </Text>
            </li>
          ))}
        </ol>
      </Paper>
    </>
  );
}
