import { RunProgress } from '../ui/run-progress.tsx';
import type { StartStep } from './use-start-analysis.ts';

/** What happens between the press of Analyze and the server's answer. */
export function StartProgress({ step, share, website }: { step: StartStep; share: number; website: string }) {
  const words = {
    idle: '',
    creating: `Adding ${website} to your websites...`,
    created: `${website} was added. The analysis starts...`,
    uploading: 'Uploading...',
    reading: 'Analyzing...',
  }[step];
  return (
    <RunProgress label="Upload" percent={Math.round(share * 100)} isUncounted={step === 'reading'} words={words} />
  );
}
