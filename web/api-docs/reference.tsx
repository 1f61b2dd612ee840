import type { ReactNode } from 'react';
import type { ErrorBody } from '#shared/errors.ts';
import type { Parameter } from '#shared/openapi.ts';
import type { Answer, JsonSchema } from '#shared/openapi-components.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { TextTable } from '../ui/text-table.tsx';
import classes from './api-docs-page.module.css';
import {
  type ApiCall,
  answersOf,
  apiCalls,
  apiDocument,
  errorShape,
  examplesOf,
  isObject,
  named,
} from './api-document.ts';
import { CodeSamples } from './code-samples.tsx';
import { Inline } from './markdown.tsx';

/** One call: what goes in, programs that make it, and every answer. */
export function Call({ call: { method, path, operation, shapes } }: { call: ApiCall }) {
  const { summary, description, parameters = [], requestBody } = operation;
  const bodySchema = requestBody?.content['application/json'].schema;
  const body = bodySchema && named(bodySchema).name;
  return (
    <>
      <p className={classes.address}>
        <b>{method}</b> <code>{path}</code>
      </p>
      <p>
        <Inline text={description} />
      </p>
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <FieldsTable fields={parameters} label={`Parameters: ${summary}`} />
        </>
      )}
      {bodySchema && (
        <>
          <h3>Body</h3>
          <p>
            JSON, as <Type schema={bodySchema} /> says.
          </p>
        </>
      )}
      {body && shapes.includes(body) && <Shape name={body} />}
      <h3>Examples</h3>
      <CodeSamples samples={operation['x-codeSamples']} title={summary} />
      <h3>Answers</h3>
      {answersOf(operation).map(([status, answer], index) => (
        <details key={status} className={classes.answer} open={index === 0}>
          <summary>
            <b>{status}</b> <Inline text={answer.description} />
          </summary>
          <AnswerBody answer={answer} label={`${summary}, ${status}`} />
        </details>
      ))}
      {shapes
        .filter((name) => name !== body)
        .map((name) => (
          <Shape key={name} name={name} />
        ))}
    </>
  );
}

function AnswerBody({ answer, label }: { answer: Answer; label: string }) {
  const names = Object.keys(answer.headers);
  const json = answer.content?.['application/json'];
  return (
    <div className={classes.body}>
      {names.length > 0 && (
        <p>
          <Inline text={`Headers: ${names.map((name) => `\`${name}\``).join(', ')}.`} />
        </p>
      )}
      {json ? (
        <p>
          Body: <Type schema={json.schema} />.
        </p>
      ) : (
        <p>No body.</p>
      )}
      {examplesOf(answer).map(({ summary, value }) => (
        <figure key={summary} className={classes.example}>
          <figcaption>{summary}</figcaption>
          <CodeBlock code={JSON.stringify(value, null, 2)} label={`${label}: ${summary}`} wrap />
        </figure>
      ))}
    </div>
  );
}

/** Every error that a call can be answered with: what it means and what to do; and the body that all have. */
export function Errors() {
  return (
    <>
      <TextTable label="Errors" columns={['Status', 'code', 'Meaning, and what to do']} className={classes.table}>
        {problems().map(({ status, code, description }) => (
          <tr key={description}>
            <th scope="row">{status}</th>
            <td>
              <code>{code}</code>
            </td>
            <td>
              <Inline text={description} />
            </td>
          </tr>
        ))}
      </TextTable>
      <Shape name={errorShape} />
    </>
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
  for (const [status, answer] of apiCalls().flatMap(({ operation }) => answersOf(operation))) {
    if (Number(status) < 400) continue;
    const [example] = examplesOf(answer);
    const body = example?.value as ErrorBody | undefined;
    found.set(answer.description, { status, code: body?.code ?? '', description: answer.description });
  }
  return [...found.values()].sort((a, b) => Number(a.status) - Number(b.status));
}

/** A named shape with its fields; its name is its anchor. */
function Shape({ name }: { name: string }): ReactNode {
  const { description = '', properties = {}, required = [] } = apiDocument.components.schemas[name] ?? {};
  const fields = Object.entries(properties).map(([field, schema]) => ({
    name: field,
    schema,
    required: required.includes(field),
    description: schema.description ?? '',
  }));
  return (
    <div id={name} className={classes.shape}>
      <h3>{name}</h3>
      <p>
        <Inline text={description} />
      </p>
      <FieldsTable fields={fields} label={`Fields of ${name}`} />
    </div>
  );
}

type Field = Pick<Parameter, 'name' | 'schema' | 'required' | 'description'> & Partial<Pick<Parameter, 'in'>>;

/** What each field of a shape, each parameter or each header is and means. */
export function FieldsTable({ fields, label }: { fields: readonly Field[]; label: string }) {
  return (
    <TextTable label={label} columns={['Name', 'Type', 'Meaning']} className={classes.table}>
      {fields.map(({ name, schema, required, description, in: place }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
            {place && <small>{place === 'query' ? 'in the address' : 'header'}</small>}
            {!required && <small>optional</small>}
          </th>
          <td>
            <Type schema={schema} />
          </td>
          <td>
            <Inline text={description} />
          </td>
        </tr>
      ))}
    </TextTable>
  );
}

/** What a value can be, in the words of JSON; names of shapes lead to their tables. */
function Type({ schema }: { schema: JsonSchema }): ReactNode {
  const { name, schema: meant } = named(schema);
  if (name && isObject(meant)) return <a href={`#${name}`}>{name}</a>;
  if (meant.enum) return meant.enum.map((word) => `'${word}'`).join(' | ');
  if (meant.anyOf) {
    return meant.anyOf.map((one, index) => (
      <span key={JSON.stringify(one)}>
        {index > 0 && ' or '}
        <Type schema={one} />
      </span>
    ));
  }
  if (meant.items) {
    return (
      <>
        array of <Type schema={meant.items} />
        {meant.maxItems !== undefined && `, ${meant.minItems ?? 0} to ${meant.maxItems}`}
      </>
    );
  }
  if (meant.additionalProperties) {
    return (
      <>
        object of <Type schema={meant.additionalProperties} />
      </>
    );
  }
  const words = [meant.type ?? 'anything'].flat().join(' or ');
  const form = meant.format === 'date-time' ? ', ISO 8601' : meant.format ? `, ${meant.format}` : '';
  return `${words}${form}${meant.maxLength === undefined ? '' : `, up to ${meant.maxLength} characters`}`;
}
