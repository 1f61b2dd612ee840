import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button.tsx';
import classes from './hidden.module.css';

interface Props {
  value: string;
  /** For people who do not see the icon: 'Copy example.com'. */
  label: string;
  onCopied?: () => void;
}

/** A small button that copies; for a moment it says that it did. */
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
      <span className={classes.hidden} role="status">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}

/** Puts text on the clipboard; says whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Browsers give the clipboard to secure pages only; an own server on plain HTTP is not one. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog, so that its focus trap lets the selection happen.
  const focused = document.activeElement;
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
