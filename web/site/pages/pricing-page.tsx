import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { paths } from '../../paths.ts';
import { useTitle } from '../../platform/use-title.ts';
import styles from '../../ui/public-page.module.css';
import { toastSuccess } from '../../ui/toast.tsx';

/** Redirects to the features page. A canceled checkout returns here and gets a message first. */
export function PricingPage() {
  const navigate = useNavigate();
  useTitle('Pricing');
  const { subscription } = useLocation().search as { subscription?: unknown };
  useEffect(() => {
    if (subscription === 'canceled') {
      toastSuccess('Checkout canceled', 'Nothing was charged.');
    }
    void navigate({ to: paths.features, replace: true });
  }, [navigate, subscription]);
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>Redirecting to features page...</h1>
        <p className={styles.lead}>
          There is one plan, and it is free. If nothing happens, open the <Link to={paths.features}>features page</Link>
          .
        </p>
      </div>
    </div>
  );
}
