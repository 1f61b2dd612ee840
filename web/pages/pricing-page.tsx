import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { paths } from '../paths.ts';
import frame from '../ui/public-page.module.css';
import { toastSuccess } from '../ui/toast.tsx';

/** There is one plan, and the features page has it. Who cancelled a checkout comes by here, and is told that nothing was paid. */
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
    <div className={frame.page}>
      <div className={frame.head}>
        <h1>Redirecting to features page...</h1>
        <p className={frame.lead}>
          There is one plan, and it is free. If nothing happens, go to <Link to={paths.features}>all features</Link>.
        </p>
      </div>
    </div>
  );
}
