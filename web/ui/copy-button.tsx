import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../lib/copy-text.ts';

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
      <ActionIcon variant="subtle" color="gray" size={28} aria-label={label} title={label} onClick={() => void copy()}>
        <Icon size={15} aria-hidden />
      </ActionIcon>
      <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
    </>
  );
}
