import { pageState } from '../lib/page-state.ts';
import classes from './auth-page.module.css';

/** Says before it happens that signing up, and signing in with Google, subscribes to product news, and how to end that. */
export function NewsNotice({ tab }: { tab: 'login' | 'register' }) {
  const hasGoogle = pageState().google !== null;
  if (tab === 'login' && !hasGoogle) return null;
  return (
    <p className={classes.reason}>
      {tab === 'login' ? 'Signing in with Google' : 'Signing up'} also subscribes you to product news by email. You can
      end that at any time in your account, under Security.
    </p>
  );
}
