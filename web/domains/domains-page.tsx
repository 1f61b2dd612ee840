import { lazy, Suspense } from 'react';
import { useTitle } from '../lib/use-title.ts';
import { useUser } from '../session/session.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { DomainsView } from './domains-view.tsx';

const DomainsAdmin = lazy(() => import('./domains-admin.tsx').then((module) => ({ default: module.DomainsAdmin })));

/** The domain blacklist: search, filters, list, details, and for admins everything that changes it, which others do not load. */
export function DomainsPage() {
  useTitle('Blacklist');
  const { isAdmin } = useUser();
  if (!isAdmin) return <DomainsView />;
  return (
    <Suspense fallback={<Waiting />}>
      <DomainsAdmin />
    </Suspense>
  );
}
