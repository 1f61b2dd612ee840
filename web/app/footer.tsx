import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import classes from './footer.module.css';

export function Footer() {
  return (
    <footer className={classes.footer}>
      <div className={classes.inside}>
        <span>© {new Date().getFullYear()} Linksieve. All rights reserved.</span>
        <nav aria-label="Footer" className={classes.links}>
          <Link to={paths.privacyPolicy}>Privacy Policy</Link>
          <Link to={paths.termsOfService}>Terms of Service</Link>
          <Link to={paths.contact}>Contact</Link>
          <Link to={paths.apiDocs}>API</Link>
        </nav>
      </div>
    </footer>
  );
}
