import classes from './footer.module.css';

export function Footer() {
  return (
    <footer className={classes.footer}>
      <div className={classes.inside}>
        <span>© {new Date().getFullYear()} Linksieve. All rights reserved.</span>
        <span>The blacklist is updated monthly.</span>
      </div>
    </footer>
  );
}
