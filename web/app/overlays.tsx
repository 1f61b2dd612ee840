import '../ui/more-styles.ts';
import { Modal, Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { singleKeysAreOn, switchSingleKeys } from '../lib/keys.ts';
import { useSession } from '../session/session.tsx';
import classes from './keyboard-help.module.css';
import { Palette } from './palette.tsx';
import { closeOverlay, type Overlay } from './shortcuts.tsx';

/** The dialogs above a screen. They open after a first render: a dialog that is open from the start gives no focus back. */
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

const apple = /Mac|iPhone|iPad/.test(navigator.userAgent);

interface Shortcut {
  /** A key, or several in turn. */
  keys: string[];
  does: string;
  /** Whether the switch below the list turns it off. */
  single: boolean;
  /** On screens that only admins have. */
  forAdmins?: true;
}

const shortcuts: readonly Shortcut[] = [
  { keys: [apple ? '⌘ K' : 'Ctrl K'], does: 'Open the command palette', single: false },
  { keys: ['?'], does: 'Show this list', single: true },
  { keys: ['/'], does: 'Go to the search field', single: true },
  { keys: ['g', 'd'], does: 'Go to the blacklist', single: true },
  { keys: ['g', 'r'], does: 'Go to the risk assessment', single: true },
  { keys: ['g', 'a'], does: 'Go to my account', single: true },
  { keys: ['g', 'h'], does: 'Go to the home page', single: true },
  { keys: ['j'], does: 'Next message, in an open message of the inbox', single: true, forAdmins: true },
  { keys: ['k'], does: 'Previous message, in an open message of the inbox', single: true, forAdmins: true },
  { keys: ['a'], does: 'Approve the submission that has the focus', single: true, forAdmins: true },
  { keys: ['r'], does: 'Reject the submission that has the focus', single: true, forAdmins: true },
  { keys: ['F8'], does: 'Go to the notification', single: false },
  { keys: ['Esc'], does: 'Close what is open', single: false },
];

/** Which keys do what, and the switch for those that are pressed alone. */
function KeyboardHelp({ opened }: { opened: boolean }) {
  const [on, setOn] = useState(singleKeysAreOn);
  const isAdmin = useSession().user?.isAdmin ?? false;
  const shown = shortcuts.filter(({ forAdmins }) => isAdmin || !forAdmins);
  return (
    <Modal opened={opened} onClose={() => closeOverlay('keyboard help')} title="Keyboard shortcuts" size="md">
      <dl className={classes.keys}>
        {shown.map(({ keys, does, single }) => (
          <div key={does} className={classes.row} data-off={(single && !on) || undefined}>
            <dt>
              {keys.map((key, i) => (
                <span key={key}>
                  {i > 0 && <span className={classes.then}> then </span>}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Switch
        checked={on}
        onChange={(event) => {
          setOn(event.currentTarget.checked);
          switchSingleKeys(event.currentTarget.checked);
        }}
        label="Single-key shortcuts"
        description="Keys that are pressed alone. Remembered on this device."
      />
    </Modal>
  );
}
