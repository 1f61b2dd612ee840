import { Alert, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../ui/button.tsx';
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
  const advice = at === 'file' ? adviceFor(error) : undefined;
  const isOwn = existingProfileId !== undefined;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<TriangleAlert size={18} aria-hidden />}
      title={
        at === 'file' ? 'Analysis Failed' : error.status === 409 ? 'Domain Already Exists' : 'Error Creating Profile'
      }
    >
      <Text size="sm">{error.message}</Text>
      {isOwn ? (
        <>
          <Text size="sm" mt={4} mb="sm">
            {website} is one of your own websites. Its new report can be added there.
          </Text>
          <Button size="xs" variant="default" onClick={() => onUseExisting(existingProfileId)}>
            Use {website}
          </Button>
        </>
      ) : (
        advice && (
          <Text size="sm" mt={4}>
            {advice}
          </Text>
        )
      )}
    </Alert>
  );
}
