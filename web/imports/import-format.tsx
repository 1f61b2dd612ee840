import { Code, Title } from '@mantine/core';
import { optionalColumns, requiredColumns } from '#shared/imports.ts';
import styles from './import-tab.module.css';

/** What a file for the importer has to hold. */
export function ImportFormat() {
  return (
    <aside className={styles.format} aria-label="File format">
      <Title order={2} size="h4">
        File format
      </Title>
      <p>A CSV file with a header row. Required columns:</p>
      <Names names={requiredColumns} />
      <p>Optional columns:</p>
      <Names names={optionalColumns} />
      <p>
        A domain that is listed already is updated: its sources are united, filled cells replace what is there, empty
        cells keep it. A row that cannot be used never stops the others.
      </p>
    </aside>
  );
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <ul className={styles.names}>
      {names.map((name) => (
        <li key={name}>
          <Code>{name}</Code>
        </li>
      ))}
    </ul>
  );
}
