import { Button } from '../ui/button.tsx';
import { RunFailure } from '../ui/run-progress.tsx';
import { adviceFor } from './advice.ts';
import type { StartProblem } from './use-start-analysis.ts';

interface StartProblemAlertProps {
  problem: StartProblem;
  website: string;
  onUseExisting(profileId: number): void;
}

/** The server's sentence and what to do about it, beside the choice that it is about. */
export function StartProblemAlert({ problem, website, onUseExisting }: StartProblemAlertProps) {
  const { at, error, existingProfileId } = problem;
  if (at === 'website' && error.status !== 409 && error.status !== 0) return null;
  const title =
    at === 'file' ? 'Analysis Failed' : error.status === 409 ? 'Domain Already Exists' : 'Error Creating Profile';
  if (existingProfileId === undefined) {
    return <RunFailure title={title} reason={error.message} advice={at === 'file' ? adviceFor(error) : undefined} />;
  }
  return (
    <RunFailure
      title={title}
      reason={error.message}
      advice={`${website} is one of your own websites. Its new report can be added there.`}
    >
      <Button size="xs" variant="default" onClick={() => onUseExisting(existingProfileId)}>
        Use {website}
      </Button>
    </RunFailure>
  );
}
