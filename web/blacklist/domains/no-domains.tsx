import { SearchX } from 'lucide-react';
import { isFiltered } from '#shared/blacklist/domains.ts';
import { paths } from '../../paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useStoredList } from './name-list/stored-lists.ts';
import { type DomainsScreen, noFilter, showAndFocus } from './search.ts';

/** Shown in place of an empty list: how to find or add domains. */
export function NoDomains({ screen, isAdmin }: { screen: DomainsScreen; isAdmin: boolean }) {
  const { list } = screen.search;
  const text = useStoredList(list);
  const showAll = () => showAndFocus(screen, { ...noFilter, list: undefined });
  if (list !== undefined && text === undefined) {
    return (
      <EmptyState
        title="This list is not available"
        description="A pasted list stays in the browser tab where you pasted it. Paste it again to check it."
        icon={SearchX}
      >
        <Button onClick={() => screen.open('list')}>Paste a list</Button>
        <Button variant="default" onClick={showAll}>
          Show all domains
        </Button>
      </EmptyState>
    );
  }
  if (list !== undefined && !isFiltered(screen.search)) {
    return (
      <EmptyState title="No domains found" description="None of the pasted names is listed." icon={SearchX}>
        <Button variant="default" onClick={showAll}>
          Show all domains
        </Button>
      </EmptyState>
    );
  }
  if (isFiltered(screen.search)) {
    return (
      <EmptyState title="No domains found" description="Try adjusting your search or filter criteria." icon={SearchX}>
        <Button variant="default" onClick={() => showAndFocus(screen, noFilter)}>
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
