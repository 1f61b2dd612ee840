import { useDisclosure } from '@mantine/hooks';
import { Button } from '../ui/button.tsx';
import { DeleteAllDialog } from './delete-all-dialog.tsx';
import { ExportAllButton } from './export-all-button.tsx';
import { PanelSection } from './panel-section.tsx';

/** A copy of the whole blacklist, and emptying it. */
export function DatabaseOperations() {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <PanelSection
        title="Export"
        description="One CSV file with every domain of the blacklist: its sources, notes, risk level, dates and all other columns. Imported into an empty blacklist it builds it again; the dates of listing then start anew. Accounts, websites and reports are not in it."
      >
        <ExportAllButton />
      </PanelSection>
      <PanelSection
        danger
        title="Clear Database"
        description="Deletes every domain of the blacklist. Reports that were made keep what they found; accounts and websites stay."
      >
        <Button color="red" onClick={dialog.open}>
          Clear Database
        </Button>
        <DeleteAllDialog opened={opened} onClose={dialog.close} />
      </PanelSection>
    </>
  );
}
