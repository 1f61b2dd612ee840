import { Anchor, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { exportImportFailures, type ImportStatus } from '#shared/imports.ts';
import { urlOf } from '../lib/api.ts';
import { formatCount, plural } from './display.ts';
import styles from './import-failures.module.css';

/** The rows that an import refused: the first hundred, and all of them as a file. */
export function ImportFailures({ job }: { job: ImportStatus }) {
  const { failedCount, failures, jobId } = job;
  return (
    <Stack gap={8}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={550}>
          {plural(failedCount, 'row')} failed
          {failures.length < failedCount && ` (the first ${formatCount(failures.length)})`}
        </Text>
        <Anchor size="sm" href={urlOf(exportImportFailures, { jobId })} download className={styles.download}>
          <Download size={15} aria-hidden /> Download all failed rows
        </Anchor>
      </Group>
      <ScrollArea.Autosize mah={240} type="auto" className={styles.frame} viewportProps={{ tabIndex: 0 }}>
        <Table className={styles.table} aria-label="Failed rows">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Line</Table.Th>
              <Table.Th scope="col">Value</Table.Th>
              <Table.Th scope="col">Reason</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {failures.map((failure) => (
              <Table.Tr key={`${failure.line} ${failure.reason}`}>
                <Table.Td className={styles.line}>{formatCount(failure.line)}</Table.Td>
                <Table.Td className={styles.value}>{failure.value}</Table.Td>
                <Table.Td>{failure.reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </Stack>
  );
}
