import { Copy, Trash2 } from 'lucide-react';
import { formatCount } from '../../platform/format.ts';
import { Button } from '../../ui/button.tsx';
import { copyNames } from './copy-names.ts';

interface SelectionBarProps {
  /** The names of the selected domains. */
  names: string[];
  /** Undefined for users who cannot change the blacklist. */
  onDelete: (() => void) | undefined;
  onClear(): void;
}

/** The number of selected domains and the actions for them. Loaded with the first selection. */
export function SelectionBar({ names, onDelete, onClear }: SelectionBarProps) {
  return (
    <>
      <span role="status">{formatCount(names.length)} selected</span>
      <Button
        size="xs"
        variant="default"
        leftSection={<Copy size={14} aria-hidden />}
        onClick={() => void copyNames(names)}
      >
        Copy names
      </Button>
      {onDelete && (
        <Button size="xs" color="red" variant="light" leftSection={<Trash2 size={14} aria-hidden />} onClick={onDelete}>
          Delete Selected
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        onClick={() => {
          // This button disappears with the selection.
          document.getElementById('results')?.focus();
          onClear();
        }}
      >
        Clear
      </Button>
    </>
  );
}
