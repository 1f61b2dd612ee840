import { useDisclosure } from '@mantine/hooks';
import { Bell } from 'lucide-react';
import type { Website } from '#shared/reports/websites.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { Button } from '../../ui/button.tsx';
import { LazyDialog } from '../../ui/lazy-dialog.tsx';
import type { WatchDialogProps } from './watch-dialog.tsx';

const LoadedWatchDialog = lazyPart(() => import('./watch-dialog.tsx'), 'WatchDialog');

/** The settings of how a website is watched. The code loads with the first opening. */
export function WatchDialog(props: WatchDialogProps) {
  return <LazyDialog opened={props.opened}>{(opened) => <LoadedWatchDialog {...props} opened={opened} />}</LazyDialog>;
}

interface WatchButtonProps {
  website: Pick<Website, 'id' | 'domain'>;
  /** Whether the button is in a list of watched websites, where it says "Edit". */
  isEdit?: boolean;
}

/** Opens the settings of how a website is watched. */
export function WatchButton({ website, isEdit = false }: WatchButtonProps) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={!isEdit && <Bell size={14} aria-hidden />}
        onClick={dialog.open}
        aria-label={isEdit ? `Edit the watch of ${website.domain}` : `Watch ${website.domain}`}
      >
        {isEdit ? 'Edit' : 'Watch'}
      </Button>
      <WatchDialog website={website} opened={opened} onClose={dialog.close} />
    </>
  );
}
