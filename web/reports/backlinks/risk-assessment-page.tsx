import { Paper, Skeleton, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { FolderUp, ScanSearch } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { paths } from '../../paths.ts';
import { lazyPart, loadPart } from '../../platform/load-part.ts';
import { Button } from '../../ui/button.tsx';
import { LazyDialog } from '../../ui/lazy-dialog.tsx';
import { LoadTogether } from '../../ui/load-together.tsx';
import { Screen, TextLink } from '../../ui/screen.tsx';
import { Hint, Lead } from '../../ui/typography.ts';
import { websitesQuery } from '../websites/websites.ts';
import styles from './risk-assessment-page.module.css';
import { RunningAnalyses, useFinishAnalysis } from './running-analyses.tsx';
import { closedReport, useScreenState } from './screen.ts';
import { type AnalysisDraft, emptyDraft, useStartAnalysis } from './start-analysis.ts';

const loadProgress = () => import('./analysis-progress.tsx');
const loadAnalyzeDialog = () => import('./analyze-dialog.tsx');
const loadPreviousReports = () => import('./previous-reports.tsx');
const loadReport = () => import('./report/quick-report.tsx');
const AnalysisProgress = lazyPart(loadProgress, 'AnalysisProgress');
const AnalyzeDialog = lazyPart(loadAnalyzeDialog, 'AnalyzeDialog');
const AnalyzerResult = lazyPart(loadReport, 'AnalyzerResult');
const BulkUploadDialog = lazyPart(() => import('./bulk-upload/bulk-upload-dialog.tsx'), 'BulkUploadDialog');
const PreviousReports = lazyPart(loadPreviousReports, 'PreviousReports');
const WebsitesHome = lazyPart(() => import('./websites/websites-home.tsx'), 'WebsitesHome');
const ReportDialog = lazyPart(loadReport, 'ReportDialog');
const UploadProgress = lazyPart(loadProgress, 'UploadProgress');

/** The SEO Risk Assessment screen: the analyzer and the previous reports. */
export function RiskAssessmentPage() {
  const { search, tab, go } = useScreenState();
  const [draft, setDraft] = useState<AnalysisDraft>(emptyDraft);
  const [isDialogOpen, setDialogOpen] = useState(false);
  /** The files of the dialog for several websites; undefined while it is closed. */
  const [bulkFiles, setBulkFiles] = useState<readonly File[]>();
  const finish = useFinishAnalysis();
  const navigate = useNavigate();
  const starter = useStartAnalysis({
    onRunning: (analysis) => {
      setDialogOpen(false);
      return navigate({ to: paths.riskAssessment, search: { analysis: analysis.analysisId } });
    },
    onResult: (result) => {
      setDialogOpen(false);
      return finish(result);
    },
  });
  const { isSending } = starter;
  useBlocker({
    disabled: !isSending,
    enableBeforeUnload: false,
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname && !window.confirm('Leave this page and cancel the upload?'),
  });

  // Resets the dialog when a report opens, no matter how long its analysis took.
  useEffect(() => {
    if (search.result) setDraft(emptyDraft);
  }, [search.result]);

  useEffect(() => {
    // Preload what the first press is likely to need, so that it shows at once.
    const timer = setTimeout(
      () => void loadPart(() => Promise.all([loadAnalyzeDialog(), loadProgress(), loadPreviousReports()])),
      2000,
    );
    return () => clearTimeout(timer);
  }, []);

  function openDialog(part: Partial<AnalysisDraft> = {}): void {
    starter.clearProblem();
    setDraft((now) => ({ ...now, ...part }));
    setDialogOpen(true);
  }

  return (
    <Screen
      title="SEO Risk Assessment"
      lead="Find out how many of the domains that link to your website are on the blacklist."
    >
      <Tabs
        value={isSending ? 'analyzer' : tab}
        onChange={(next) => go({ ...closedReport, tab: next === 'reports' ? 'reports' : 'analyzer' })}
      >
        <Tabs.List>
          <Tabs.Tab value="analyzer">Risk Analyzer</Tabs.Tab>
          <Tabs.Tab value="reports">Previous Reports</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="analyzer">
          <Suspense fallback={<LoadingTab />}>
            {isSending ? (
              <UploadProgress starter={starter} files={draft.files} />
            ) : (
              <Analyzer onStart={openDialog} onUploadSeveral={setBulkFiles} />
            )}
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="reports">
          <Suspense fallback={<LoadingTab />}>
            <LoadTogether skeleton={<LoadingTab />}>
              <RunningAnalyses />
              <PreviousReports onStart={openDialog} onUploadSeveral={() => setBulkFiles([])} />
            </LoadTogether>
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      <LazyDialog opened={isDialogOpen && !isSending}>
        {(opened) => (
          <AnalyzeDialog
            opened={opened}
            onClose={() => setDialogOpen(false)}
            draft={draft}
            onDraftChange={setDraft}
            starter={starter}
          />
        )}
      </LazyDialog>
      <LazyDialog opened={bulkFiles !== undefined}>
        {(opened) => (
          <BulkUploadDialog opened={opened} files={bulkFiles ?? noFiles} onClose={() => setBulkFiles(undefined)} />
        )}
      </LazyDialog>
      <LazyDialog opened={search.report !== undefined}>
        {(opened) => <ReportDialog reportId={opened ? search.report : undefined} />}
      </LazyDialog>
    </Screen>
  );
}

const LoadingTab = () => <Skeleton height={320} radius="md" aria-label="Loading..." data-waiting />;

interface AnalyzerProps {
  onStart(draft?: Partial<AnalysisDraft>): void;
  onUploadSeveral(files: readonly File[]): void;
}

const noFiles: readonly File[] = [];

/** The Risk Analyzer tab: the progress of an analysis, a result, the user's websites, or a guide to the first one. */
function Analyzer({ onStart, onUploadSeveral }: AnalyzerProps) {
  const { search } = useScreenState();
  const websites = useQuery({ ...websitesQuery, enabled: !search.analysis && !search.result });
  if (search.analysis) return <AnalysisProgress id={search.analysis} onStart={onStart} />;
  if (search.result) return <AnalyzerResult reportId={search.result} />;
  if (websites.isPending) return <LoadingTab />;
  if (!websites.data?.length) return <AnalyzerGuide onStart={onStart} onUploadSeveral={onUploadSeveral} />;
  return <WebsitesHome websites={websites.data} onStart={onStart} onUploadSeveral={onUploadSeveral} />;
}

const steps = [
  {
    title: 'Export backlinks',
    text: 'Download the backlinks or referring domains of your website from Ahrefs, Semrush, Moz, Majestic or Google Search Console.',
  },
  {
    title: 'Upload CSV',
    text: 'Upload the file as is. The tool, columns and encoding are detected automatically.',
  },
  {
    title: 'Get results',
    text: 'See the share of toxic domains and why each harmful backlink is listed. Export what you need.',
  },
];

/** The analyzer before the first analysis: the start button, a three-step guide and other ways to begin. */
function AnalyzerGuide({ onStart, onUploadSeveral }: AnalyzerProps) {
  return (
    <>
      <Paper withBorder radius="md" className={styles.panel}>
        <div className={styles.lead}>
          <div>
            <Title order={2} size="h3">
              Find paid links that point to your website
            </Title>
            <Lead size="md">
              We check your backlink export against every domain on the blacklist. Reports are saved with your website
              so you can track its toxicity over time.
            </Lead>
          </div>
          <div className={styles.start}>
            <Button size="md" leftSection={<ScanSearch size={18} aria-hidden />} onClick={() => onStart()}>
              Analyze My Backlinks
            </Button>
            <Button
              variant="default"
              leftSection={<FolderUp size={16} aria-hidden />}
              onClick={() => onUploadSeveral([])}
            >
              Upload several sites
            </Button>
          </div>
        </div>
        <ol className={styles.steps}>
          {steps.map((step, index) => (
            <li key={step.title} className={styles.step}>
              <span className={styles.number} aria-hidden>
                {index + 1}
              </span>
              <Text className={styles.title}>{step.title}</Text>
              <Hint>{step.text}</Hint>
            </li>
          ))}
        </ol>
        <p className={styles.others}>
          No export at hand? <TextLink to={paths.check}>Check a list of domains</TextLink>,{' '}
          <TextLink to={paths.domains}>search the blacklist</TextLink>, or{' '}
          <TextLink to={paths.home} hash="sample-report">
            look at a sample report
          </TextLink>
          .
        </p>
      </Paper>
      {/* Below the guide, which they would move when they are loaded. */}
      <RunningAnalyses />
    </>
  );
}
