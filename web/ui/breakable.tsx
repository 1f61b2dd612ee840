import { Fragment } from 'react';

/** An address or a name without spaces: where it has to break, it breaks behind a sign and not in the middle of a word. */
export function Breakable({ children }: { children: string }) {
  return [...children.matchAll(/[^@._]*[@._]+|[^@._]+/g)].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
