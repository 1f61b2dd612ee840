import type { ReactNode } from 'react';
import styles from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

interface Props {
  code: string;
  /** The accessible name, such as 'curl: Check one domain'. Must be unique on the page. */
  label: string;
  /** Whether long lines wrap, as for responses. Otherwise they scroll, as for programs. */
  wrap?: boolean;
  /** The text to copy, if it differs from `code`. */
  copied?: string;
}

/** Preformatted code with a button that copies it. */
export function CodeBlock({ code, label, wrap = false, copied = code }: Props) {
  const text = (
    <pre className={styles.text}>
      <code>{wrap ? <Lines of={code} /> : code}</code>
    </pre>
  );
  return (
    <div className={styles.block} data-wrap={wrap || undefined}>
      {wrap ? text : <Scrolling label={label}>{text}</Scrolling>}
      <span className={styles.copy}>
        <CopyButton value={copied} label={`Copy ${label}`} />
      </span>
    </div>
  );
}

/** Renders each line as a block, so that wrapped text is indented more than the start of the next line. */
function Lines({ of }: { of: string }) {
  return of.split(/(?<=\n)/).map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines can be equal and never move
    <span key={index} className={styles.line}>
      {line}
    </span>
  ));
}

function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
