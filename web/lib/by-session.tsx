import type { ReactNode } from 'react';
import classes from './by-session.module.css';
import { useSession } from './session.ts';

interface Props {
  visitor: ReactNode;
  user: ReactNode;
}

/** One thing for visitors, another for signed-in people. Until it is known who reads, the visitor's holds the place unseen. */
export function BySession({ visitor, user }: Props) {
  const { state } = useSession();
  if (state === 'user') return user;
  return (
    <span className={state === 'loading' ? `${classes.place} ${classes.waiting}` : classes.place} data-visitor>
      {visitor}
    </span>
  );
}
