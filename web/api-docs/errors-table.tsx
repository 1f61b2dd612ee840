import type { ErrorBody } from '#shared/errors.ts';
import { TextTable } from '../ui/text-table.tsx';
import { answersOf, apiCalls } from './api-document.ts';
import classes from './fields-table.module.css';
import { Marked } from './marked.tsx';

/** Every error that a call can be answered with: what it means and what to do. */
export function ErrorsTable() {
  return (
    <TextTable label="Errors" columns={['Status', 'code', 'Meaning, and what to do']} className={classes.table}>
      {problems().map(({ status, code, description }) => (
        <tr key={description}>
          <th scope="row">{status}</th>
          <td>
            <code>{code}</code>
          </td>
          <td>
            <Marked text={description} />
          </td>
        </tr>
      ))}
    </TextTable>
  );
}

/** Belongs to no call, so no call of the document has it. */
const nothingThere = {
  status: '404',
  code: 'not_found',
  description: 'The path or the method is wrong. Compare both with this page.',
};

/** By status; an error that several calls share is named once. */
function problems() {
  const found = new Map([[nothingThere.description, nothingThere]]);
  for (const { operation } of apiCalls()) {
    for (const [status, { description, content }] of answersOf(operation)) {
      if (Number(status) < 400) continue;
      const [example] = Object.values(content?.['application/json'].examples ?? {});
      found.set(description, { status, code: (example?.value as ErrorBody | undefined)?.code ?? '', description });
    }
  }
  return [...found.values()].sort((a, b) => Number(a.status) - Number(b.status));
}
