import { Settings } from 'lucide-react';
import { EmptyState } from '../ui/empty-state.tsx';

/** The System tab. */
export function SystemTab() {
  return (
    <EmptyState
      icon={Settings}
      title="System settings are coming soon"
      description="Until then the settings come from the environment; the README lists them all."
    />
  );
}
