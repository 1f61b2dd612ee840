import { Link } from '@tanstack/react-router';
import { LayoutDashboard, LogOut, UserRound } from 'lucide-react';
import type { User } from '#shared/accounts.ts';
import { initialsOf } from '../lib/initials.ts';
import { useLogOut } from '../lib/use-log-out.ts';
import { paths } from '../paths.ts';
import { Menu, menuItem } from '../ui/menu.tsx';
import classes from './header.module.css';

/** The signed-in person: who it is, their pages, the way out. */
export function AccountMenu({ user }: { user: User }) {
  const logOut = useLogOut();
  const item = { role: 'menuitem', tabIndex: -1, className: menuItem } as const;
  return (
    <Menu label="Account menu" button={initialsOf(user)} buttonClass={classes.avatar}>
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
      <button type="button" onClick={logOut} {...item}>
        <LogOut size={16} aria-hidden />
        Log out
      </button>
    </Menu>
  );
}
