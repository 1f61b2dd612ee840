import { useDisclosure } from '@mantine/hooks';
import { Button } from '../ui/button.tsx';
import { DeleteAllDialog } from './delete-all-dialog.tsx';
import { PanelSection } from './panel-section.tsx';

/** What can not be undone. */
export function DangerZone() {
  const [opened, dialog] = useDisclosure(false);
  return (
    <PanelSection
      danger
      title="Delete All Links"
      description="Deletes every domain of the blacklist. Reports that were made keep what they found."
    >
      <Button color="red" onClick={dialog.open}>
        Delete All Links
      </Button>
      <DeleteAllDialog opened={opened} onClose={dialog.close} />
    </PanelSection>
  );
}
