import { Paper, Tabs, Text, Title } from '@mantine/core';
import { ScanSearch } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Screen } from '../ui/screen.tsx';
import { AnalyzeDialog } from './analyze-dialog.tsx';
import { PreviousReports } from './previous-reports.tsx';
import { AnalyzerResult, ReportDialog } from './report.tsx';
import styles from './risk-assessment-page.module.css';
import { AnalysisWatch, RunningAnalyses, useFinishAnalysis } from './running-analyses.tsx';
import { closed, useScreen } from './screen.ts';
import { type AnalysisDraft, emptyDraft, useStartAnalysis } from './start-analysis.ts';

/** SEO Risk Assessment: uploads and their results, and the reports of earlier ones. */
export function RiskAssessmentPage() {
  const { search, tab, go } = useScreen();
  const [draft, setDraft] = useState<AnalysisDraft>(emptyDraft);
  const [isStarting, setStarting] = useState(false);
  const finish = useFinishAnalysis();
  const starter = useStartAnalysis({
    onProfile: (profileId) => setDraft((now) => ({ ...now, mode: 'existing', profileId })),
    onRunning: (analysis) => {
      setStarting(false);
      void go({ ...closed, tab: undefined, analysis: analysis.analysisId });
    },
    onResult: (result) => {
      setStarting(false);
      finish(result);
    },
  });

  // The file has done its work, whether its report came at once or after a while.
  useEffect(() => {
    if (search.result) setDraft(emptyDraft);
  }, [search.result]);

  function start(part: Partial<AnalysisDraft> = {}): void {
    starter.forgetProblem();
    setDraft((now) => ({ ...now, ...part }));
    setStarting(true);
  }

  return (
    <Screen
      title="SEO Risk Assessment"
      lead="Find out how many of the domains that link to your website are on the blacklist."
    >
      <Tabs
        value={tab}
        onChange={(next) =>
          go({ tab: next === 'reports' ? 'reports' : 'analyzer', report: undefined, page: undefined, risk: undefined })
        }
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="analyzer">Risk Analyzer</Tabs.Tab>
          <Tabs.Tab value="reports">Previous Reports</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="analyzer" className={styles.tab}>
          <Analyzer onStart={start} />
        </Tabs.Panel>
        <Tabs.Panel value="reports" className={styles.tab}>
          <RunningAnalyses />
          <PreviousReports onStart={start} />
        </Tabs.Panel>
      </Tabs>
      <AnalyzeDialog
        opened={isStarting}
        onClose={() => setStarting(false)}
        draft={draft}
        onDraft={setDraft}
        starter={starter}
      />
      <ReportDialog reportId={search.report} />
    </Screen>
  );
}

/** The Risk Analyzer tab: a running analysis, a result, or the guide to start one. */
function Analyzer({ onStart }: { onStart(draft?: Partial<AnalysisDraft>): void }) {
  const { search } = useScreen();
  if (search.analysis) return <AnalysisWatch id={search.analysis} onStart={onStart} />;
  if (search.result) return <AnalyzerResult reportId={search.result} />;
  return <AnalyzerGuide onStart={onStart} />;
}

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
function AnalyzerGuide({ onStart }: { onStart(draft?: Partial<AnalysisDraft>): void }) {
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
