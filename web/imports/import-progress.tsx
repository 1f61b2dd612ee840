import { RunProgress } from '../ui/run-progress.tsx';
import type { ImportStage } from './import-steps.ts';
import { importWords } from './import-words.ts';

interface ImportProgressProps {
  stage: ImportStage;
  fileName: string | undefined;
  percent: number;
}

/** How far an import is: a bar, and what has happened in words. */
export function ImportProgress({ stage, fileName, percent }: ImportProgressProps) {
  return (
    <RunProgress
      label={`Import of ${fileName}`}
      name={fileName}
      percent={percent}
      isFailed={'job' in stage && stage.job.status === 'failed'}
      words={wordsOf(stage)}
    />
  );
}

function wordsOf(stage: ImportStage): string {
  if ('job' in stage) return importWords(stage.job);
  if (stage.uploading < 1) return `Uploading... ${Math.round(stage.uploading * 100)}%`;
  return 'Processing... 0 imported so far (0s elapsed)';
}
