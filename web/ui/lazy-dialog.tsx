import { type ReactNode, Suspense, useState } from 'react';
import { PendingMarker } from './states.tsx';

interface LazyDialogProps {
  opened: boolean;
  /** A dialog that is a lazy part. */
  children: ReactNode;
}

/** Renders a dialog from its first opening on, so that its code loads then. It stays, because it fades out. */
export function LazyDialog({ opened, children }: LazyDialogProps) {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  return wasOpened && <Suspense fallback={<PendingMarker />}>{children}</Suspense>;
}
