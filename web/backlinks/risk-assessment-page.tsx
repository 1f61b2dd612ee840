import { Container, Tabs, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { type AnalysisDraft, emptyDraft } from './analysis-draft.ts';
import { AnalyzeDialog } from './analyze-dialog.tsx';
import { Analyzer } from './analyzer.tsx';
import { PreviousReports } from './previous-reports.tsx';
import { ReportDialog } from './report-dialog.tsx';
import styles from './risk-assessment-page.module.css';
import { RunningAnalyses } from './running-analyses.tsx';
import { closed, useFinishAnalysis } from './use-finish-analysis.ts';
import { useScreen } from './use-screen.ts';
import { useStartAnalysis } from './use-start-analysis.ts';

/** SEO Risk Assessment: uploads and their results, and the reports of earlier ones. */
export function RiskAssessmentPage() {
  useTitle('SEO Risk Assessment');
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
    <Container size="var(--page-width)" pt={28} pb={40}>
      <Title order={1}>SEO Risk Assessment</Title>
      <Text c="dimmed" mt={4} mb="lg">
        Find out how many of the domains that link to your website are on the blacklist.
      </Text>
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
        <Tabs.Panel value="analyzer" className={styles.panel}>
          <Analyzer onStart={start} />
        </Tabs.Panel>
        <Tabs.Panel value="reports" className={styles.panel}>
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
    </Container>
  );
}
