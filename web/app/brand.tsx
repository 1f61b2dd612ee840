import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import classes from './header.module.css';

/** The name with its byline, a link home. The mark is the drawing of public/favicon.svg: a link, parted, held by the sieve. */
export function Brand() {
  return (
    <Link to={paths.home} className={classes.brand}>
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#1c4fd6" />
        <path
          fill="#fff"
          d="M10 6h4v4h-4a2 2 0 0 0 0 4h4v4h-4a6 6 0 0 1 0-12zm8 0h4a6 6 0 0 1 0 12h-4v-4h4a2 2 0 0 0 0-4h-4z"
        />
        <path fill="#b9ccff" d="M4 22h6v4H4zm8 0h8v4h-8zm10 0h6v4h-6z" />
      </svg>
      <span className={classes.name}>Linksieve</span> <span className={classes.byline}>the paid-link blacklist</span>
    </Link>
  );
}
