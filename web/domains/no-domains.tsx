import { SearchX } from 'lucide-react';
import { isFiltered } from '#shared/domains.ts';
import { paths } from '../paths.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';
import type { DomainsScreen } from './screen.ts';

/** Shown in place of an empty list: how to find or add domains. */
export function NoDomains({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  if (isFiltered(screen.search)) {
    return (
      <EmptyState title="No domains found" description="Try adjusting your search or filter criteria." icon={SearchX}>
        <Button variant="default" onClick={() => screen.clear()}>
          Clear all filters
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No domains found"
      description={
        isAdmin
          ? 'The blacklist is empty. Load public lists, import a CSV file or add a domain.'
          : 'The blacklist is empty.'
      }
      icon={SearchX}
    >
      {isAdmin && (
        <>
          <ButtonLink to={paths.setup}>Load public lists</ButtonLink>
          <Button variant="default" onClick={() => screen.open('import')}>
            Import CSV
          </Button>
        </>
      )}
    </EmptyState>
  );
}
