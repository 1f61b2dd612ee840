import { useDelayed } from '../ui/use-delayed.ts';
import classes from './loading.module.css';

/** A whole screen's wait. Nothing shows for the first moment, so that a quick answer does not flicker. */
export function Loading() {
  const show = useDelayed();
  return (
    <div className={classes.loading} role="status" data-waiting>
      {show && (
        <>
          <span className={classes.spinner} aria-hidden="true" />
          Loading...
        </>
      )}
    </div>
  );
}
