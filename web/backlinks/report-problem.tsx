import { ApiError } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';

interface ReportProblemProps {
  error: Error;
  onRetry(): void;
  onLeave(): void;
}

/** In place of a report that does not exist or can not be loaded. */
export function ReportProblem({ error, onRetry, onLeave }: ReportProblemProps) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState title="Report not found" description="It may have been deleted, or it belongs to another account.">
        <Button variant="default" onClick={onLeave}>
          Back
        </Button>
      </EmptyState>
    );
  }
  return <ErrorState title="Error Loading Report" error={error} onRetry={onRetry} />;
}
