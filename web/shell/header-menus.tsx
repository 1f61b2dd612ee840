import { Link } from '@tanstack/react-router';
import { Keyboard, LayoutDashboard, LogOut, UserRound } from 'lucide-react';
import type { User } from '#shared/accounts/accounts.ts';
import { useLogOut } from '../accounts/sessions/session.tsx';
import { paths } from '../paths.ts';
import { Menu, menuItem } from '../ui/menu.tsx';
import type { MenuOpener } from '../ui/menu-button.tsx';
import styles from './header-menus.module.css';
import { openKeyboardHelp } from './overlay.ts';

const item = { role: 'menuitem', tabIndex: -1, className: menuItem } as const;

/** The menu of the signed-in user: name and email, links to the user's screens, and Log out. */
export function AccountMenu({ user, opener }: { user: User; opener: MenuOpener }) {
  const logOut = useLogOut();
  return (
    <Menu {...opener} startsOpen>
      <div className={styles.user} role="presentation">
        <div className={styles.userName}>{user.displayName || 'User'}</div>
        <div className={styles.userEmail}>{user.email}</div>
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
      <hr className={styles.separator} />
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
