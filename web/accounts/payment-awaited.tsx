import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import classes from './support.module.css';

/** A payment was made that the payment provider has not told the server yet. */
export function PaymentAwaited({ isAsking, onAskAgain }: { isAsking: boolean; onAskAgain(): void }) {
  return (
    <>
      <div role="status" className={classes.waiting}>
        {isAsking && <Spinner />}
        {isAsking
          ? 'Waiting for the payment to be confirmed'
          : 'The payment is not confirmed yet. That can take some minutes: look again later.'}
      </div>
      {!isAsking && (
        <div className={classes.buttons}>
          <Button size="xs" variant="default" onClick={onAskAgain}>
            Look again
          </Button>
        </div>
      )}
    </>
  );
}
