import { FolderUp, ScanSearch } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import type { Website } from '#shared/reports/websites.ts';
import { Button } from '../../../ui/button.tsx';
import { Hint } from '../../../ui/typography.ts';
import { maxBulkFiles } from '../bulk-upload/assign.ts';
import { RunningAnalyses } from '../running-analyses.tsx';
import type { AnalysisDraft } from '../start-analysis.ts';
import { WebsiteList } from './website-list.tsx';
import styles from './websites-home.module.css';
import { WhatIsNew } from './what-is-new.tsx';

interface WebsitesHomeProps {
  websites: readonly Website[];
  onStart(draft?: Partial<AnalysisDraft>): void;
  /** Opens the dialog that assigns files to websites, with the dropped ones. */
  onUploadSeveral(files: readonly File[]): void;
}

/** The start of a user with websites: where exports are dropped, what is new, and the websites. */
export function WebsitesHome({ websites, onStart, onUploadSeveral }: WebsitesHomeProps) {
  return (
    <div className={styles.home}>
      <DropPanel onStart={onStart} onUploadSeveral={onUploadSeveral} />
      <WhatIsNew websites={websites} />
      <RunningAnalyses />
      <WebsiteList websites={websites} onStart={onStart} />
    </div>
  );
}

const steps = ['Export backlinks', 'Upload CSV', 'Get results'];

function DropPanel({ onStart, onUploadSeveral }: Omit<WebsitesHomeProps, 'websites'>) {
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  return (
    <section
      className={styles.drop}
      data-over={isOver || undefined}
      aria-labelledby="drop-title"
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onUploadSeveral([...event.dataTransfer.files]);
      }}
    >
      <div className={styles.words}>
        <h2 id="drop-title">Upload backlink exports</h2>
        <Hint>
          Drop one file here, or up to {maxBulkFiles} for all your websites. Each is assigned to the website that its
          links point to.
        </Hint>
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
      <div className={styles.buttons}>
        <Button leftSection={<ScanSearch size={16} aria-hidden />} onClick={() => onStart()}>
          Analyze My Backlinks
        </Button>
        <Button variant="default" leftSection={<FolderUp size={16} aria-hidden />} onClick={() => onUploadSeveral([])}>
          Upload several sites
        </Button>
      </div>
    </section>
  );
}
