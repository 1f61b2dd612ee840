import { CsvImporter } from './csv-importer.tsx';
import { ImportFormat } from './import-format.tsx';
import styles from './import-tab.module.css';
import { RecentImports } from './recent-imports.tsx';
import type { WatchedImport } from './use-import-tab.ts';

/** The Import Data tab: the importer, what a file has to hold, and the last imports. */
export function ImportTab(watched: WatchedImport) {
  return (
    <>
      <div className={styles.columns}>
        <CsvImporter {...watched} />
        <ImportFormat />
      </div>
      <RecentImports />
    </>
  );
}
