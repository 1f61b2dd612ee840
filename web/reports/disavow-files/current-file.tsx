import { VisuallyHidden } from '@mantine/core';
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
import chips from '../../ui/filter-chips.module.css';
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
  const { takenBack } = review;
  const leftOut = takenBack + review.redundant + review.invalidCount;
  const hasChanges = review.added + leftOut > 0;
  const status = listUrl.search.status ?? (hasChanges ? 'changed' : 'all');
  return (
    <section className={panel.panel} aria-labelledby="file-title">
      <div className={styles.merge}>
        <div>
          <h2 id="file-title" className={styles.title}>
            <span data-mono>{review.fileName}</span>
            <span className={styles.changes}>
              <b data-change="+">+{formatCount(review.added)}</b> <b data-change="−">−{formatCount(leftOut)}</b>
            </span>
          </h2>
          <p className={styles.quiet}>
            Uploaded <DateText value={review.uploadedAt} pattern="time" />, {plural(review.lines, 'line')}.{' '}
            {describeMerge(review)}
          </p>
        </div>
        <div className={styles.downloads}>
          <DownloadButton
            variant="default"
            url={buildUrl(downloadReavowList, params)}
            started="Your download will start shortly."
            disabled={takenBack === 0}
          >
            Download take-back list
          </DownloadButton>
          <DownloadButton url={buildUrl(downloadMergedDisavow, params)} started="Your download will start shortly.">
            Download merged file
          </DownloadButton>
        </div>
      </div>
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
      <Counts review={review} status={status} onChoose={(next) => void listUrl.show({ status: next })} />
      <Lines websiteId={website.id} fileId={file.id} listUrl={listUrl} hasChanges={hasChanges} />
    </section>
  );
}

/** What merging does, in one sentence. */
function describeMerge({ added, takenBack, redundant, invalidCount }: DisavowReview): string {
  const invalid = redundant + invalidCount;
  const parts = [
    added > 0 && `adds ${plural(added, 'domain')} that you decided to disavow`,
    takenBack > 0 && `takes back ${plural(takenBack, 'line')}`,
    invalid > 0 && `leaves out ${plural(invalid, 'redundant or invalid line')}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Merging changes nothing.' : `Merging ${new Intl.ListFormat('en').format(parts)}.`;
}

type Choice = DisavowLineStatus | 'changed' | 'all';

interface CountsProps {
  review: DisavowReview;
  status: Choice;
  onChoose(status: Exclude<Choice, 'changed'> | undefined): void;
}

/** The number of lines by status. Each filters the lines. */
function Counts({ review, status, onChoose }: CountsProps) {
  const { added, takenBack, redundant, invalidCount } = review;
  const counts: Record<Choice, number> = {
    changed: added + takenBack + redundant + invalidCount,
    all: review.lines,
    added,
    takenBack,
    redundant,
    invalid: invalidCount,
    kept: review.kept,
    noLongerListed: review.noLongerListed,
    allowed: review.allowed,
    comment: review.comments,
  };
  const texts = {
    ...statusTexts,
    changed: { name: 'Changes', meaning: 'What merging adds and leaves out' },
    all: { name: 'Whole file', meaning: 'All lines of the uploaded file' },
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className={styles.counts} role="group" aria-label="Filter lines by status">
      {(Object.keys(counts) as Choice[])
        .filter((name) => counts[name] > 0 || name === 'all')
        .map((name) => (
          <button
            key={name}
            type="button"
            className={chips.toggle}
            title={texts[name].meaning}
            aria-pressed={status === name}
            onClick={() => onChoose(name === 'changed' ? undefined : name)}
          >
            {texts[name].name} <span className={chips.count}>{formatCount(counts[name])}</span>
            <VisuallyHidden> {texts[name].meaning}</VisuallyHidden>
          </button>
        ))}
    </div>
  );
}
