import { apiKeyLimits } from '#shared/api-keys.ts';
import { bulkLimit, keyCallsPerMinute } from '#shared/key-checks.ts';
import { TextTable } from '../ui/text-table.tsx';
import { apiDocument } from './api-document.ts';
import classes from './fields-table.module.css';
import { FieldsTable } from './fields-table.tsx';
import { Part } from './part.tsx';

/** What a call costs, and what a program does when it asked for too much. */
export function Limits() {
  const { headers } = apiDocument.components;
  const fields = Object.entries(headers)
    .filter(([name]) => name !== 'ETag')
    .map(([name, { schema, description }]) => ({ name, schema, description, required: true }));
  return (
    <Part id="limits" title="Limits">
      <p>
        A key has {apiKeyLimits.requestsADay} requests a day, and days begin at 00:00 UTC. Checking one domain costs one
        request; a bulk check costs one for each entry and takes at most {bulkLimit}; asking for the usage costs
        nothing. <code>HEAD</code> works where <code>GET</code> does and costs the same. What is refused or fails (every
        answer from 400 on) is not counted.
      </p>
      <FieldsTable fields={fields} label="Headers about limits" />
      <p>
        The first three come with answers of <code>/api/v1</code> to a valid key, errors too, and with no others;{' '}
        <code>Retry-After</code> comes with 429.
      </p>
      <h3>On 429</h3>
      <CausesTable />
      <p>
        To plan ahead, look at <code>X-RateLimit-Remaining</code>, and keep answers instead of asking again: the
        blacklist changes about once a month.
      </p>
    </Part>
  );
}

const left = 'X-RateLimit-Remaining';
const wait = 'Retry-After';

/** They share a status and a code, and differ in what helps. */
const causes = [
  ['The day is used up', '0', 'until 00:00 UTC', 'Wait. The usage still answers.'],
  [
    'A bulk asks for more than is left',
    'above 0',
    'until 00:00 UTC',
    'Only this bulk was too large: send at most as many entries as are left now, or all of them after the wait.',
  ],
  ['Too many calls at once for the last requests of a day', 'any', '2', 'Wait, then send fewer at once.'],
  [
    `More than ${keyCallsPerMinute.valid.toLocaleString('en-US')} calls in a minute with one key`,
    'as it was',
    'at most 60',
    'Wait, then call less often.',
  ],
  [
    `More than ${keyCallsPerMinute.failed} calls in a minute without a valid key from one address`,
    'not sent',
    'at most 60',
    'Wait, and send a valid key.',
  ],
] as const;

function CausesTable() {
  return (
    <TextTable label="Causes of 429" columns={['Cause', left, wait, 'What to do']} className={classes.table}>
      {causes.map(([cause, remaining, seconds, remedy]) => (
        <tr key={cause}>
          <th scope="row">{cause}</th>
          <td data-name={left}>{remaining}</td>
          <td data-name={wait}>{seconds}</td>
          <td>{remedy}</td>
        </tr>
      ))}
    </TextTable>
  );
}
