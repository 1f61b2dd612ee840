import { unnamedOperator } from '#shared/pages.ts';
import { pageState } from '../../platform/page-state.ts';

/** The operator of this installation, for the middle of a sentence. */
export function OperatorName() {
  const { operator } = pageState();
  if (!operator) return unnamedOperator;
  return operator.url ? (
    <a href={operator.url} rel="noopener">
      {operator.name}
    </a>
  ) : (
    operator.name
  );
}
