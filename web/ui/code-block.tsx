import type { ReactNode } from 'react';
import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

interface Props {
  code: string;
  /** What it is, for people who do not see it: 'curl: Check one domain'. No two on a page are called the same. */
  label: string;
  /** Whether long lines go on below, as in answers; programs scroll instead. */
  wrap?: boolean;
  /** What is copied, where that is not what stands there. */
  copied?: string;
}

/** Text for machines as it stands, with a button that copies it. */
export function CodeBlock({ code, label, wrap = false, copied = code }: Props) {
  const text = (
    <pre className={classes.text}>
      <code>{wrap ? <Lines of={code} /> : code}</code>
    </pre>
  );
  return (
    <div className={classes.block} data-wrap={wrap || undefined}>
      {wrap ? text : <Scrolling label={label}>{text}</Scrolling>}
      <span className={classes.copy}>
        <CopyButton value={copied} label={`Copy ${label}`} />
      </span>
    </div>
  );
}

/** Each line a block of its own, so that what does not fit goes on further in than the next line begins. */
function Lines({ of }: { of: string }) {
  return of.split(/(?<=\n)/).map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike, and never move
    <span key={at} className={classes.line}>
      {line}
    </span>
  ));
}

function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls has to be reachable by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
