import { Badge } from '@mantine/core';
import { Monitor, Smartphone } from 'lucide-react';
import type { Session } from '#shared/sessions.ts';
import { Button } from '../ui/button.tsx';
import { DateText } from '../ui/date-text.tsx';
import classes from './sessions.module.css';

/** One place where the person is signed in. The one they are looking from is left by logging out. */
export function SessionRow({ session, onEnd }: { session: Session; onEnd(): void }) {
  const { device, address, signedInAt, lastUsedAt, isThisDevice } = session;
  const Icon = /iPhone|iPad|Android/.test(device) ? Smartphone : Monitor;
  return (
    <li className={classes.row}>
      <Icon size={20} strokeWidth={1.75} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <div className={classes.device}>
          {device}
          {isThisDevice && (
            <Badge variant="light" color="green" tt="none">
              This device
            </Badge>
          )}
        </div>
        <div className={classes.facts}>
          <span>{address ?? 'Unknown address'}</span>
          <span>
            Signed in <DateText value={signedInAt} />
          </span>
          <span>
            Last used <DateText value={lastUsedAt} pattern="time" />
          </span>
        </div>
      </div>
      {!isThisDevice && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Sign out ${device}${address ? `, ${address}` : ''}`}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
