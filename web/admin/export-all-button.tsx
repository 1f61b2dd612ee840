import { Download } from 'lucide-react';
import { exportAll } from '#shared/admin.ts';
import { urlOf } from '../lib/api.ts';
import { ButtonAnchor, type ButtonLook } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';

/** Downloads the whole blacklist. The browser saves it as it comes: it may be larger than a page can hold. */
export function ExportAllButton({ size }: Pick<ButtonLook, 'size'>) {
  return (
    <ButtonAnchor
      href={urlOf(exportAll)}
      download
      variant="default"
      size={size}
      leftSection={<Download size={16} aria-hidden />}
      onClick={() =>
        toast({ title: 'Export Started', description: 'Your download begins in a moment.', tone: 'success' })
      }
    >
      Export All Data
    </ButtonAnchor>
  );
}
