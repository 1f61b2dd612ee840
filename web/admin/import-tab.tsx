import { CsvImporter } from './csv-importer.tsx';
import { ImportFormat } from './import-format.tsx';
import styles from './import-tab.module.css';
import { RecentImports } from './recent-imports.tsx';

/** The Import Data tab: the importer, what a file has to hold, and the last imports. */
export function ImportTab() {
  return (
    <>
      <div className={styles.columns}>
        <CsvImporter />
        <ImportFormat />
      </div>
      <RecentImports />
    </>
  );
}
