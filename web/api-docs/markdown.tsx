import { Fragment } from 'react';
import { CodeBlock } from '../ui/code-block.tsx';
import { TextTable } from '../ui/doc-page.tsx';
import classes from './api-docs-page.module.css';

/** The blocks of CommonMark that the document's guide is written in; a blank line ends each. */
export function Markdown({ text }: { text: string }) {
  return text.split('\n\n').map((block) => <Block key={block} text={block} />);
}

function Block({ text }: { text: string }) {
  if (text.startsWith('### ')) return <h3>{text.slice(4)}</h3>;
  if (text.startsWith('| ')) return <Table text={text} />;
  const [, label = '', code] = /^```http (.*)\n(.*)\n```$/.exec(text) ?? [];
  if (code !== undefined) return <CodeBlock code={code} label={label} wrap />;
  if (text.startsWith('> ')) {
    return (
      <p className={classes.warning}>
        <Inline text={text.slice(2)} />
      </p>
    );
  }
  return (
    <p>
      <Inline text={text} />
    </p>
  );
}

/** Text in which code stands between backticks, and what matters between double asterisks. */
export function Inline({ text }: { text: string }) {
  return text.split(/(`.+?`|\*\*.+?\*\*)/).map((part, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of one text stay as they are
    if (part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) return <b key={index}>{part.slice(2, -2)}</b>;
    return <Fragment key={index}>{part}</Fragment>;
    // biome-ignore-end lint/suspicious/noArrayIndexKey: see above
  });
}

/** It is named after its first column. A phone shows the names of columns beside the cells, except for the last: a sentence. */
function Table({ text }: { text: string }) {
  const [columns = [], , ...rows] = text.split('\n').map((line) => line.slice(2, -2).split(' | '));
  return (
    <TextTable label={columns[0] ?? ''} columns={columns} className={classes.table}>
      {rows.map(([name, ...cells]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          {cells.map((cell, index) => (
            <td key={columns[index + 1]} data-name={index < cells.length - 1 ? columns[index + 1] : undefined}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </TextTable>
  );
}
