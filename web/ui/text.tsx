import { Fragment } from 'react';
import classes from './text.module.css';

/** An address or a name without spaces: where it has to break, it breaks behind a sign and not in the middle of a word. */
export function Breakable({ children }: { children: string }) {
  return [...children.matchAll(/[^@._]*[@._]+|[^@._]+/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** Large words, of which one with a hyphen, such as 'Paid-Link', is not torn apart at the end of a line. */
export function NoBreakHyphens({ text }: { text: string }) {
  return text.split(/(\S+-\S+)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={part} className={classes.whole}>
        {part}
      </span>
    ),
  );
}
