import { Button } from '@mantine/core';
import { PanelSection } from './panel-section.tsx';

const operations = ['Export All Data', 'Run Maintenance', 'Clear Database'];

/** Operations that are announced, not there. */
export function DatabaseOperations() {
  return (
    <PanelSection title="Database Operations" description="These operations are coming soon.">
      {operations.map((name) => (
        <Button key={name} variant="default" disabled title="Coming soon">
          {name}
        </Button>
      ))}
    </PanelSection>
  );
}
