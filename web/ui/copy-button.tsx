import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../lib/copy-text.ts';
import classes from './hidden.module.css';
import { IconButton } from './icon-button.tsx';

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
