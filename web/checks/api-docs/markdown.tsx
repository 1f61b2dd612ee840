import { Fragment } from 'react';
import { CodeBlock } from '../../ui/code-block.tsx';
import { TextTable } from '../../ui/doc-page.tsx';
import styles from './api-docs-page.module.css';

/**
 * Shows the blocks of CommonMark that the guide of the document uses. Blank lines separate them.
 * @param title the accessible name of tables before the first heading. Other tables are labeled by the heading before
 * them.
 */
export function Markdown({ title, text }: { title: string; text: string }) {
  const blocks = splitBlocks(text);
  return blocks.map((block, index) => {
    const heading = blocks.slice(0, index).findLast(isHeading);
    return <Block key={block} text={block} label={heading?.slice(headingMark.length) ?? title} />;
  });
}

/** Blank lines separate blocks, but not within code. */
export const splitBlocks = (text: string): string[] => text.match(/```.*?\n```|(?!\n).+?(?=\n\n|$)/gs) ?? [];

const headingMark = '### ';
const isHeading = (block: string) => block.startsWith(headingMark);

/** Whether a block is code, which the page shows in the column of examples. */
export const isCode = (block: string) => block.startsWith('```');

function Block({ text, label }: { text: string; label: string }) {
  if (isHeading(text)) return <h3>{text.slice(headingMark.length)}</h3>;
  if (text.startsWith('| ')) return <Table text={text} label={label} />;
  const [, codeLabel = '', code] = /^```\w+ ([^\n]*)\n(.*)\n```$/s.exec(text) ?? [];
  if (code !== undefined) {
    return (
      <>
        <h3 className={styles.codeTitle}>{codeLabel}</h3>
        <CodeBlock code={code} label={codeLabel} wrap />
      </>
    );
  }
  if (text.startsWith('- ')) {
    return (
      <ul>
        {text.split('\n').map((item) => (
          <li key={item}>
            <Inline text={item.slice(2)} />
          </li>
        ))}
      </ul>
    );
  }
  if (text.startsWith('> ')) {
    return (
      <p className={styles.warning}>
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

/** Text with code between backticks, links, and bold text between double asterisks, which may contain both. */
export function Inline({ text }: { text: string }) {
  return text.split(/(\*\*.+?\*\*|`.+?`|\[.+?\]\(.+?\))/).map((part, index) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a text never move
    if (part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) {
      return (
        <b key={index}>
          <Inline text={part.slice(2, -2)} />
        </b>
      );
    }
    const [, label, url] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    if (url) {
      return (
        <a key={index} href={url}>
          {label}
        </a>
      );
    }
    return <Fragment key={index}>{part}</Fragment>;
    // biome-ignore-end lint/suspicious/noArrayIndexKey: see above
  });
}

/** On a phone, each cell is labeled with its column, except for the last one, which is a sentence. */
function Table({ text, label }: { text: string; label: string }) {
  const [columns = [], , ...rows] = text.split('\n').map((line) => line.slice(2, -2).split(' | '));
  return (
    <TextTable label={label} columns={columns} className={columns.length > 2 ? styles.wideTable : styles.table}>
      {rows.map(([name = '', ...cells]) => (
        <tr key={[name, ...cells].join()}>
          <th scope="row">
            <Inline text={name} />
          </th>
          {cells.map((cell, index) => (
            <td key={columns[index + 1]} data-name={index < cells.length - 1 ? columns[index + 1] : undefined}>
              <Inline text={cell} />
            </td>
          ))}
        </tr>
      ))}
    </TextTable>
  );
}
