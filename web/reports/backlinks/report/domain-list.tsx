import { useMaxWidth } from '../../../ui/use-max-width.ts';
import { DomainCards } from './domain-cards.tsx';
import type { DomainListProps } from './domain-cells.tsx';
import { DomainTable } from './domain-table.tsx';

/** One page of listed domains, as a table or as cards. An open domain shows its links and its evidence. */
export function DomainList(props: DomainListProps) {
  const isNarrow = useMaxWidth('narrow');
  return isNarrow ? <DomainCards {...props} /> : <DomainTable {...props} />;
}
