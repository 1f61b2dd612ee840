import { Group, Progress, Text } from '@mantine/core';
import type { StartStep } from './use-start-analysis.ts';

/** What happens between the press of Analyze and the server's answer. */
export function StartProgress({ step, share, website }: { step: StartStep; share: number; website: string }) {
  const percent = step === 'reading' ? 100 : Math.round(share * 100);
  const words = {
    idle: '',
    creating: `Adding ${website} to your websites...`,
    created: `${website} was added. The analysis starts...`,
    uploading: 'Uploading...',
    reading: 'Analyzing...',
  }[step];
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" role="status">
          {words}
        </Text>
        {step === 'uploading' && (
          <Text size="sm" c="dimmed" aria-hidden style={{ fontVariantNumeric: 'tabular-nums' }}>
            {percent}%
          </Text>
        )}
      </Group>
      <Progress value={percent} animated={step === 'reading'} aria-label="Upload" />
    </div>
  );
}
