import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import classes from './header.module.css';

/** The name with its byline, a link home. */
export function Brand() {
  return (
    <Link to={paths.home} className={classes.brand}>
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#1c4fd6" />
        <path d="M7 9h18l-6.5 8v6.2L13.5 26v-9z" fill="none" stroke="#fff" strokeWidth="2.2" strokeLinejoin="round" />
        <circle cx="12" cy="6.2" r="1.5" fill="#fff" />
        <circle cx="20" cy="6.2" r="1.5" fill="#fff" />
      </svg>
      <span className={classes.name}>Linksieve</span> <span className={classes.byline}>the paid-link blacklist</span>
    </Link>
  );
}
