import { type DomainList, type Network, unnamedFamily } from '#shared/checks/domain-lists.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { Bars } from '../../ui/bars.tsx';
import panel from '../../ui/panel.module.css';
import styles from './list-networks.module.css';
import type { CheckScreen } from './screen.ts';

/** The sources and families that list several domains of the list. Pressing one shows only its domains. */
export function ListNetworks({ list: { networks, summary }, screen }: { list: DomainList; screen: CheckScreen }) {
  const { network: current } = screen.search;
  const [largest] = networks;
  return (
    <section className={`${panel.panel} ${styles.networks}`} aria-labelledby="list-networks">
      <h3 id="list-networks">Shared sources</h3>
      {largest && (
        <p className={styles.note}>
          {formatCount(largest.domains)} of {plural(summary.total - summary.invalid, 'domain')} are listed by{' '}
          {describe(largest)}.
        </p>
      )}
      <Bars
        values={networks.map(({ domains }, index) => ({ name: String(index + 1), domains }))}
        toLabel={(number) => toLabel(networks[Number(number) - 1])}
        renderRow={({ name, className, children }) => (
          <button
            type="button"
            className={`${className} ${styles.row}`}
            aria-pressed={current === Number(name)}
            onClick={() => void screen.show({ network: current === Number(name) ? undefined : Number(name) })}
          >
            {children}
          </button>
        )}
      />
    </section>
  );
}

/** The name of a source or family, for lists. */
export const toLabel = (network: Network | undefined): string => network?.name ?? unnamedFamily;

function describe({ kind, name }: Network): string {
  if (name === null) return 'one family of sources whose name is not public';
  return kind === 'family' ? `the family ${name}` : name;
}
