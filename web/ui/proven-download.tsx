import type { ReactNode } from 'react';
import { checkProof } from '#shared/accounts/second-factor.ts';
import { call } from '../platform/api.ts';
import { withProof } from '../platform/proof.ts';
import { ButtonAnchor, type ButtonLook } from './button.tsx';
import { toastError } from './toast.tsx';

interface Props extends Pick<ButtonLook, 'size' | 'className' | 'leftSection'> {
  href: string;
  children: ReactNode;
  /** Called when the download starts. */
  onStart?(): void;
}

/**
 * A link to a file that needs a proof of identity. The browser streams the file to disk, whatever its size, so this
 * asks for the proof before the download starts.
 */
export function ProvenDownload({ href, onStart, ...look }: Props) {
  async function start(): Promise<void> {
    try {
      await withProof(() => call(checkProof, {}));
    } catch (error) {
      return toastError('Export Failed', error instanceof Error ? error.message : String(error));
    }
    const link = document.createElement('a');
    link.href = href;
    link.download = '';
    link.click();
    onStart?.();
  }

  return (
    <ButtonAnchor
      {...look}
      href={href}
      download
      variant="default"
      onClick={(event) => {
        event.preventDefault();
        void start();
      }}
    />
  );
}
