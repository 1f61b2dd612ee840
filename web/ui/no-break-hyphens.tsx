import classes from './no-break-hyphens.module.css';

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
