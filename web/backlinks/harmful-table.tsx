import { Table } from '@mantine/core';
import type { HarmfulBacklink } from '#shared/reports.ts';
import { RiskBadge } from '../domains/domains.tsx';
import styles from './harmful-backlinks.module.css';
import { ReferringPage } from './referring-page-link.tsx';

/** One page of harmful backlinks, in a frame that scrolls by itself. */
export function HarmfulTable({ backlinks }: { backlinks: readonly HarmfulBacklink[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls has to be reachable by keyboard
    <section className={styles.scroll} aria-label="Harmful backlinks, scrollable" tabIndex={0}>
      <Table stickyHeader highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Domain</Table.Th>
            <Table.Th>Referring page</Table.Th>
            <Table.Th>Risk</Table.Th>
            <Table.Th>Reason</Table.Th>
            <Table.Th>Source</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {backlinks.map((backlink, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same page may stand in an export twice, and rows never move
            <Table.Tr key={index}>
              <Table.Td className={styles.domain}>{backlink.domain}</Table.Td>
              <Table.Td className={styles.page}>
                <ReferringPage page={backlink.referringPage} />
              </Table.Td>
              <Table.Td>
                <RiskBadge level={backlink.riskLevel} />
              </Table.Td>
              <Table.Td className={styles.reason}>{backlink.reason}</Table.Td>
              <Table.Td className={styles.source}>{backlink.source}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
