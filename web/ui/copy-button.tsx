import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button.tsx';
import styles from './hidden.module.css';

interface Props {
  value: string;
  /** The accessible name and tooltip, such as 'Copy example.com'. */
  label: string;
  onCopied?: () => void;
}

/** A small button that copies `value`, and shows a check mark for a moment. */
export function CopyButton({ value, label, onCopied }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    if (!(await copyText(value))) return;
    setCopied(true);
    onCopied?.();
  };

  const Icon = copied ? Check : Copy;
  return (
    <>
      <IconButton label={label} onClick={() => void copy()}>
        <Icon size={15} aria-hidden />
      </IconButton>
      <span className={styles.hidden} role="status">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}

/** Copies text to the clipboard. Returns whether it succeeded. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Copies through a selection, because browsers offer the clipboard API only on HTTPS and localhost. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // The text area must be inside an open dialog, whose focus trap would prevent the selection otherwise.
  const focused = document.activeElement;
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
