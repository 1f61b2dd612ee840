import type { ReactNode } from 'react';
import type { Answer, Parameter } from '#shared/openapi-document.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import classes from './api-docs-page.module.css';
import { type ApiCall, answersOf, apiDocument, named } from './api-document.ts';
import { CodeSamples } from './code-samples.tsx';
import { type Field, FieldsTable, fieldsOf } from './fields-table.tsx';
import { Marked } from './marked.tsx';
import { Part } from './part.tsx';

/** One call: what goes in, programs that make it, and every answer. */
export function CallPart({ call: { method, path, operation, shapes } }: { call: ApiCall }) {
  const { summary, description, operationId, parameters = [], requestBody } = operation;
  const body = requestBody && named(requestBody.content['application/json'].schema).name;
  return (
    <Part id={operationId} title={summary}>
      <p className={classes.address}>
        <b>{method}</b> <code>{path}</code>
      </p>
      <p>
        <Marked text={description} />
      </p>
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <FieldsTable fields={parameters.map(fieldOf)} label={`Parameters: ${summary}`} />
        </>
      )}
      {requestBody && (
        <>
          <h3>Body</h3>
          <p>
            JSON, as <ShapeLink schema={requestBody.content['application/json'].schema} /> says.
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
            <b>{status}</b> <Marked text={answer.description} />
          </summary>
          <AnswerBody answer={answer} label={`${summary}, ${status}`} />
        </details>
      ))}
      {shapes
        .filter((name) => name !== body)
        .map((name) => (
          <Shape key={name} name={name} />
        ))}
    </Part>
  );
}

/** A named shape with its fields; its name is its anchor. */
export function Shape({ name }: { name: string }): ReactNode {
  const schema = apiDocument.components.schemas[name];
  if (!schema) return null;
  return (
    <div id={name} className={classes.shape}>
      <h3>{name}</h3>
      <p>
        <Marked text={schema.description ?? ''} />
      </p>
      <FieldsTable fields={fieldsOf(schema)} label={`Fields of ${name}`} />
    </div>
  );
}

function AnswerBody({ answer: { headers, content }, label }: { answer: Answer; label: string }) {
  const names = Object.keys(headers);
  const json = content?.['application/json'];
  return (
    <div className={classes.body}>
      {names.length > 0 && (
        <p>
          Headers:{' '}
          {names.map((name, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <code>{name}</code>
            </span>
          ))}
          .
        </p>
      )}
      {json ? (
        <>
          <p>
            Body: <ShapeLink schema={json.schema} />.
          </p>
          {Object.entries(json.examples).map(([name, { summary, value }]) => (
            <figure key={name} className={classes.example}>
              <figcaption>{summary}</figcaption>
              <CodeBlock code={JSON.stringify(value, null, 2)} label={`${label}: ${summary}`} wrap />
            </figure>
          ))}
        </>
      ) : (
        <p>No body.</p>
      )}
    </div>
  );
}

function ShapeLink({ schema }: { schema: Parameters<typeof named>[0] }) {
  const { name } = named(schema);
  return <a href={`#${name}`}>{name}</a>;
}

function fieldOf({ name, in: place, required, description, schema }: Parameter): Field {
  return { name, schema, required, description, place: place === 'query' ? 'in the address' : 'header' };
}
