import { toDisavowAdvice } from '#shared/reports/disavow-advice.ts';
import type { Website } from '#shared/reports/websites.ts';
import { paths } from '../../../paths.ts';
import { DateText } from '../../../ui/date-text.tsx';
import { TextLink } from '../../../ui/screen.tsx';
import { adviceTitles } from '../../disavow-files/disavow.ts';

interface DisavowAdviceProps {
  /** The website; undefined if the websites could not be loaded. */
  website: Website | undefined;
  websiteId: number;
}

/** The saved advice of "Should I disavow?", or the way to its questions. */
export function DisavowAdvice({ website, websiteId }: DisavowAdviceProps) {
  const answers = website?.disavowAnswers;
  return (
    <p>
      Should I disavow?{' '}
      {answers ? (
        <>
          <strong>{adviceTitles[toDisavowAdvice(answers)]}</strong>{' '}
          <span data-quiet>
            Answered <DateText value={answers.answeredAt} />.
          </span>
        </>
      ) : (
        <span data-quiet>
          <TextLink to={paths.disavow} params={{ id: String(websiteId) }} inherit>
            Three questions
          </TextLink>{' '}
          tell you. Most websites never need to.
        </span>
      )}
    </p>
  );
}
