import { Fragment } from 'react';
import styles from './text.module.css';

/**
 * A long name without spaces, such as an email address. It can break after @, dots and underscores, not within words.
 */
export function Breakable({ children }: { children: string }) {
  return [...children.matchAll(/[^@._]*[@._]+|[^@._]+/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** Text in which words with a hyphen, such as 'Paid-Link', do not break at the end of a line. For large headings. */
export function NoBreakHyphens({ text }: { text: string }) {
  return text.split(/(\S+-\S+)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={part} className={styles.whole}>
        {part}
      </span>
    ),
  );
}
