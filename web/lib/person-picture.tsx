import { useState } from 'react';
import type { User } from '#shared/accounts.ts';
import { initialsOf } from './initials.ts';
import classes from './person-picture.module.css';

/** The person's picture, where there is one and it can be had; else initials. It fills the round place that it stands in. */
export function PersonPicture({ user }: { user: User }) {
  const { photoURL } = user;
  const [missing, setMissing] = useState<string>();
  if (!photoURL || photoURL === missing) return initialsOf(user);
  // Google refuses its pictures to pages that say where they are.
  return (
    <img
      src={photoURL}
      alt=""
      referrerPolicy="no-referrer"
      className={classes.picture}
      onError={() => setMissing(photoURL)}
    />
  );
}
