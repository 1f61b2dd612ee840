import { Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateRiskLevels } from '#shared/domains.ts';
import { call } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { PanelSection } from './panel-section.tsx';
import { forgetBlacklist } from './queries.ts';
import { riskUpdateWords } from './risk-update-words.ts';

/** Recomputes every risk level from the number of sources. */
export function RiskLevelManagement() {
  const queries = useQueryClient();
  const update = useMutation({
    mutationFn: () => call(updateRiskLevels, {}),
    onSuccess: async (result) => {
      toast({ title: 'Risk Levels Updated', description: riskUpdateWords(result), tone: 'success' });
      await forgetBlacklist(queries);
    },
    onError: () =>
      toast({
        title: 'Update Failed',
        description: 'There was an error updating risk levels. Please try again.',
        tone: 'destructive',
      }),
  });
  return (
    <PanelSection
      title="Risk Level Management"
      description="Recomputes the risk level of every domain from the number of its sources: 1 is low, 2 to 3 medium, 4 high, 5 or more very high. Levels that were set by hand or by a file are replaced."
      below={
        update.data && (
          <Text size="sm" mt="md">
            {riskUpdateWords(update.data)}
          </Text>
        )
      }
    >
      <Button onClick={() => update.mutate()} disabled={update.isPending}>
        {update.isPending ? 'Updating Risk Levels...' : 'Update Risk Levels'}
      </Button>
    </PanelSection>
  );
}
