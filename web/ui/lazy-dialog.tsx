import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { PendingMarker } from './states.tsx';

interface LazyDialogProps {
  opened: boolean;
  /** Returns a dialog that is a lazy part. */
  children(opened: boolean): ReactNode;
}

/** Renders a dialog from its first opening on, so that its code loads then. It stays, because it fades out. */
export function LazyDialog({ opened, children }: LazyDialogProps) {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={<PendingMarker />}>
      <LoadedDialog opened={opened}>{children}</LoadedDialog>
    </Suspense>
  );
}

/** Opens the dialog after it has been rendered closed. Otherwise it would not return the focus when it closes. */
function LoadedDialog({ opened, children }: LazyDialogProps) {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => setLoaded(true), []);
  return children(opened && isLoaded);
}
