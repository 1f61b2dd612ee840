import { Link } from '@tanstack/react-router';
import { Keyboard, LayoutDashboard, LogOut, UserRound } from 'lucide-react';
import type { User } from '#shared/accounts.ts';
import { paths } from '../paths.ts';
import { PersonPicture, useGoogleWatch, useLogOut } from '../session/session.tsx';
import { Menu, menuItem } from '../ui/menu.tsx';
import classes from './header.module.css';
import { openKeyboardHelp } from './overlay.ts';

/** The signed-in person: who it is, their pages, the way out. */
export function AccountMenu({ user }: { user: User }) {
  const logOut = useLogOut();
  useGoogleWatch(user, logOut);
  const item = { role: 'menuitem', tabIndex: -1, className: menuItem } as const;
  return (
    <Menu label="Account menu" button={<PersonPicture user={user} />} buttonClass={classes.avatar}>
      <div className={classes.person} role="presentation">
        <div className={classes.personName}>{user.displayName || 'User'}</div>
        <div className={classes.personMail}>{user.email}</div>
      </div>
      <Link to={paths.account} {...item}>
        <UserRound size={16} aria-hidden />
        My account
      </Link>
      {user.isAdmin && (
        <Link to={paths.admin} {...item}>
          <LayoutDashboard size={16} aria-hidden />
          Admin dashboard
        </Link>
      )}
      <hr className={classes.separator} />
      <button type="button" onClick={openKeyboardHelp} {...item}>
        <Keyboard size={16} aria-hidden />
        Keyboard shortcuts
      </button>
      <button type="button" onClick={logOut} {...item}>
        <LogOut size={16} aria-hidden />
        Log out
      </button>
    </Menu>
  );
}
