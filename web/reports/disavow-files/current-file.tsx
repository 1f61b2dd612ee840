import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import {
  type DisavowFile,
  type DisavowLineStatus,
  type DisavowReview,
  downloadMergedDisavow,
  downloadReavowList,
} from '#shared/reports/disavow-files.ts';
import type { Website } from '#shared/reports/websites.ts';
import { buildUrl } from '../../platform/api.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { DateText } from '../../ui/date-text.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import panel from '../../ui/panel.module.css';
import { QueryState } from '../../ui/query-state.tsx';
import styles from './disavow.module.css';
import { type DisavowListUrl, Lines, statusTexts } from './lines.tsx';
import { reviewQuery } from './queries.ts';

interface CurrentFileProps {
  website: Website;
  file: DisavowFile;
  listUrl: DisavowListUrl;
}

/** What merging does with each line of a file, and the merged file and the take-back list. */
export function CurrentFile({ website, file, listUrl }: CurrentFileProps) {
  const query = useQuery(reviewQuery(website.id, file.id));
  const { data: review } = query;
  if (!review) return <QueryState query={query} height={420} />;
  const params = { id: website.id, fileId: file.id };
  const takenBack = review.takenBack;
  return (
    <section className={panel.panel} aria-labelledby="file-title">
      <h2 id="file-title" className={styles.title}>
        <span data-mono>{review.fileName}</span>
      </h2>
      <p className={styles.quiet}>
        Uploaded <DateText value={review.uploadedAt} pattern="time" />, {plural(review.lines, 'line')}
      </p>
      {review.warnings.length > 0 && (
        <ul className={styles.warnings}>
          {review.warnings.map((warning, index) => (
            <li key={warning} data-severe={index < review.severeWarnings || undefined}>
              <TriangleAlert size={16} aria-hidden />
              <span>{warning}</span>
            </li>
          ))}
        </ul>
      )}
      <Counts review={review} status={listUrl.search.status} onChoose={(status) => void listUrl.show({ status })} />
      <div className={styles.downloads}>
        <div>
          <DownloadButton url={buildUrl(downloadMergedDisavow, params)} started="Your download will start shortly.">
            Download merged file
          </DownloadButton>
          <p className={styles.quiet}>
            {review.added === 0 ? 'Adds nothing' : `Adds ${plural(review.added, 'domain')} that you decided to disavow`}
            {takenBack > 0 && `, and leaves out ${plural(takenBack, 'line')} that you take back`}.
          </p>
        </div>
        <div>
          <DownloadButton
            variant="default"
            url={buildUrl(downloadReavowList, params)}
            started="Your download will start shortly."
            disabled={takenBack === 0}
          >
            Download take-back list
          </DownloadButton>
          <p className={styles.quiet}>
            {takenBack === 0
              ? 'Nothing to take back. Press Keep next to a line that should not be in the file.'
              : `${plural(takenBack, 'line')} for domains that you keep.`}
          </p>
        </div>
      </div>
      <Lines websiteId={website.id} fileId={file.id} listUrl={listUrl} />
    </section>
  );
}

interface CountsProps {
  review: DisavowReview;
  status: DisavowLineStatus | undefined;
  onChoose(status: DisavowLineStatus | undefined): void;
}

/** The number of lines by status. Each filters the lines. */
function Counts({ review, status, onChoose }: CountsProps) {
  const counts: Record<DisavowLineStatus, number> = {
    kept: review.kept,
    noLongerListed: review.noLongerListed,
    allowed: review.allowed,
    takenBack: review.takenBack,
    redundant: review.redundant,
    invalid: review.invalidCount,
    comment: review.comments,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className={styles.counts} role="group" aria-label="Filter lines by status">
      {(Object.keys(counts) as DisavowLineStatus[]).map((name) => (
        <button
          key={name}
          type="button"
          className={styles.countButton}
          aria-pressed={status === name}
          onClick={() => onChoose(status === name ? undefined : name)}
        >
          <span className={styles.countName}>{statusTexts[name].name}</span>
          <span className={styles.countValue}>{formatCount(counts[name])}</span>
          <span className={styles.countHint}>{statusTexts[name].meaning}</span>
        </button>
      ))}
    </div>
  );
}
