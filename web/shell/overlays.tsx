import '../ui/more-styles.ts';
import { Modal, Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSession } from '../accounts/sessions/session.tsx';
import { areSingleKeysEnabled, setSingleKeysEnabled } from '../platform/keys.ts';
import { FocusedTitle } from '../ui/dialogs.tsx';
import styles from './keyboard-help.module.css';
import { closeOverlay, type Overlay } from './overlay.ts';
import { Palette } from './palette.tsx';

/**
 * The dialogs that can open over any screen. They open after the first render, because a dialog that is open from the
 * start does not return the focus when it closes.
 */
export function Overlays({ requested }: { requested: Overlay | undefined }) {
  const [shown, setShown] = useState<Overlay>();
  useEffect(() => setShown(requested), [requested]);
  return (
    <>
      <Palette opened={shown === 'palette'} />
      <KeyboardHelp opened={shown === 'keyboard help'} />
    </>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

interface Shortcut {
  /** A key, or several that are pressed one after the other. */
  keys: string[];
  action: string;
  /** Whether the switch below the list turns it off. */
  isSingleKey: boolean;
}

/** The keys by where they work. */
const groups: readonly { name: string; adminOnly?: true; shortcuts: readonly Shortcut[] }[] = [
  {
    name: 'Everywhere',
    shortcuts: [
      { keys: [isApple ? '⌘ K' : 'Ctrl K'], action: 'Open the command palette', isSingleKey: false },
      { keys: ['?'], action: 'Show keyboard shortcuts', isSingleKey: true },
      { keys: ['/'], action: 'Focus the search field', isSingleKey: true },
      { keys: ['g', 'd'], action: 'Go to the blacklist', isSingleKey: true },
      { keys: ['g', 'r'], action: 'Go to the risk assessment', isSingleKey: true },
      { keys: ['g', 'n'], action: 'Go to the alerts', isSingleKey: true },
      { keys: ['g', 'a'], action: 'Go to my account', isSingleKey: true },
      { keys: ['g', 'h'], action: 'Go to the home page', isSingleKey: true },
      { keys: ['F8'], action: 'Focus the notification', isSingleKey: false },
      { keys: ['Esc'], action: 'Close the open dialog or menu, or clear the selection', isSingleKey: false },
    ],
  },
  {
    name: 'Lists of domains',
    shortcuts: [
      { keys: ['j'], action: 'Next domain, in a list and in the details', isSingleKey: true },
      { keys: ['k'], action: 'Previous domain, in a list and in the details', isSingleKey: true },
      { keys: ['Enter'], action: 'Open the details of the focused domain', isSingleKey: false },
      { keys: ['x'], action: 'Select the focused domain', isSingleKey: true },
      { keys: ['Shift X'], action: 'Select all domains up to the focused one', isSingleKey: true },
      { keys: ['c'], action: 'Copy the name of the focused domain', isSingleKey: true },
    ],
  },
  {
    name: 'Reports and alerts',
    shortcuts: [
      { keys: ['e'], action: 'Keep the focused domain', isSingleKey: true },
      { keys: ['r'], action: 'Ask to remove the links of the focused domain', isSingleKey: true },
      { keys: ['d'], action: 'Disavow the focused domain', isSingleKey: true },
      { keys: ['u'], action: 'Undo the last decision', isSingleKey: true },
    ],
  },
  {
    name: 'Admin',
    adminOnly: true,
    shortcuts: [
      { keys: ['j'], action: 'Next message in the inbox', isSingleKey: true },
      { keys: ['k'], action: 'Previous message in the inbox', isSingleKey: true },
      { keys: ['a'], action: 'Approve the focused submission', isSingleKey: true },
      { keys: ['r'], action: 'Reject the focused submission', isSingleKey: true },
    ],
  },
];

/** The list of keyboard shortcuts, and a switch to turn single-key shortcuts off. */
function KeyboardHelp({ opened }: { opened: boolean }) {
  const [isOn, setOn] = useState(areSingleKeysEnabled);
  const isAdmin = useSession().user?.isAdmin ?? false;
  const shown = groups.filter(({ adminOnly }) => isAdmin || !adminOnly);
  return (
    <Modal
      opened={opened}
      onClose={() => closeOverlay('keyboard help')}
      title={<FocusedTitle>Keyboard shortcuts</FocusedTitle>}
      size="md"
    >
      {shown.map(({ name, shortcuts }) => (
        <section key={name} aria-label={name}>
          <h3 className={styles.group}>{name}</h3>
          <dl className={styles.keys}>
            {shortcuts.map(({ keys, action, isSingleKey }) => (
              <div key={action} className={styles.row} data-off={(isSingleKey && !isOn) || undefined}>
                <dt>
                  {keys.map((key, i) => (
                    <span key={key}>
                      {i > 0 && <span className={styles.then}> then </span>}
                      <kbd>{key}</kbd>
                    </span>
                  ))}
                </dt>
                <dd>{action}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Switch
        checked={isOn}
        onChange={(event) => {
          setOn(event.currentTarget.checked);
          setSingleKeysEnabled(event.currentTarget.checked);
        }}
        label="Single-key shortcuts"
        description="Shortcuts without Ctrl or Cmd. Saved on this device."
      />
    </Modal>
  );
}
