import { FileX2 } from 'lucide-react';
import { toDisavowAdvice } from '#shared/reports/disavow-advice.ts';
import type { Website } from '#shared/reports/websites.ts';
import { paths } from '../../../paths.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { DateText } from '../../../ui/date-text.tsx';
import { adviceTitles } from '../../disavow-files/disavow.ts';
import styles from './report-page.module.css';

interface DisavowAdviceProps {
  /** The website; undefined if the websites could not be loaded. */
  website: Website | undefined;
  websiteId: number;
}

/** The saved advice of "Should I disavow?", and the way to the disavow file. */
export function DisavowAdvice({ website, websiteId }: DisavowAdviceProps) {
  const answers = website?.disavowAnswers;
  return (
    <div className={styles.disavow}>
      <span>
        Should I disavow? <strong>{adviceTitles[answers ? toDisavowAdvice(answers) : 'no']}</strong>{' '}
        <span data-quiet>
          {answers ? (
            <>
              Answered <DateText value={answers.answeredAt} />.
            </>
          ) : (
            'Most websites never need to.'
          )}
        </span>
      </span>
      <ButtonLink
        to={paths.disavow}
        params={{ id: String(websiteId) }}
        variant="default"
        size="xs"
        leftSection={<FileX2 size={14} aria-hidden />}
      >
        Build disavow file
      </ButtonLink>
    </div>
  );
}
