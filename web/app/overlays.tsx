import '../ui/more-styles.ts';
import { useEffect, useState } from 'react';
import { KeyboardHelp } from './keyboard-help.tsx';
import type { Overlay } from './overlay.ts';
import { Palette } from './palette.tsx';

/** What stands above a screen. It opens a moment after it is asked: a dialog that is open from its start gives no focus back. */
export function Overlays({ asked }: { asked: Overlay | undefined }) {
  const [shown, setShown] = useState<Overlay>();
  useEffect(() => setShown(asked), [asked]);
  return (
    <>
      <Palette opened={shown === 'palette'} />
      <KeyboardHelp opened={shown === 'keyboard help'} />
    </>
  );
}
