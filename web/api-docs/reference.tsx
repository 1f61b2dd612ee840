import type { ReactNode } from 'react';
import type { ErrorBody } from '#shared/errors.ts';
import type { Parameter } from '#shared/openapi.ts';
import type { ApiResponse, JsonSchema } from '#shared/openapi-components.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { TextTable } from '../ui/doc-page.tsx';
import classes from './api-docs-page.module.css';
import {
  type ApiCall,
  apiCalls,
  apiDocument,
  errorSchema,
  examplesOf,
  isObject,
  named,
  responsesOf,
} from './api-document.ts';
import { CodeSamples } from './code-samples.tsx';
import { Inline } from './markdown.tsx';

/** One call: what goes in, programs that make it, and every response. */
export function Call({ call: { method, path, operation, schemas } }: { call: ApiCall }) {
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
            JSON of the type <Type schema={bodySchema} />.
          </p>
        </>
      )}
      {body && schemas.includes(body) && <NamedSchema name={body} />}
      <h3>Examples</h3>
      <CodeSamples samples={operation['x-codeSamples']} title={summary} />
      <h3>Responses</h3>
      {responsesOf(operation).map(([status, response], index) => (
        <details key={status} className={classes.response} open={index === 0}>
          <summary>
            <b>{status}</b> <Inline text={response.description} />
          </summary>
          <ResponseBody response={response} label={`${summary}, ${status}`} />
        </details>
      ))}
      {schemas
        .filter((name) => name !== body)
        .map((name) => (
          <NamedSchema key={name} name={name} />
        ))}
    </>
  );
}

function ResponseBody({ response, label }: { response: ApiResponse; label: string }) {
  const names = Object.keys(response.headers);
  const json = response.content?.['application/json'];
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
      {examplesOf(response).map(({ summary, value }) => (
        <figure key={summary} className={classes.example}>
          <figcaption>{summary}</figcaption>
          <CodeBlock code={JSON.stringify(value, null, 2)} label={`${label}: ${summary}`} wrap />
        </figure>
      ))}
    </div>
  );
}

/** Every error: what it means, what to do, and the body that all share. */
export function Errors() {
  return (
    <>
      <TextTable label="Errors" columns={['Status', 'code', 'Meaning and what to do']} className={classes.table}>
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
      <NamedSchema name={errorSchema} />
    </>
  );
}

/** Not in the document, because it belongs to no call. */
const notFound = {
  status: '404',
  code: 'not_found',
  description: 'The path or the method is wrong. Compare them with this page.',
};

/** By status; errors that several calls share appear once. */
function problems() {
  const found = new Map([[notFound.description, notFound]]);
  for (const [status, response] of apiCalls().flatMap(({ operation }) => responsesOf(operation))) {
    if (Number(status) < 400) continue;
    const [example] = examplesOf(response);
    const body = example?.value as ErrorBody | undefined;
    found.set(response.description, { status, code: body?.code ?? '', description: response.description });
  }
  return [...found.values()].sort((a, b) => Number(a.status) - Number(b.status));
}

/** A schema with its fields; its name is its anchor. */
function NamedSchema({ name }: { name: string }): ReactNode {
  const { description = '', properties = {}, required = [] } = apiDocument.components.schemas[name] ?? {};
  const fields = Object.entries(properties).map(([field, schema]) => ({
    name: field,
    schema,
    required: required.includes(field),
    description: schema.description ?? '',
  }));
  return (
    <div id={name} className={classes.schema}>
      <h3>{name}</h3>
      <p>
        <Inline text={description} />
      </p>
      <FieldsTable fields={fields} label={`Fields of ${name}`} />
    </div>
  );
}

type Field = Pick<Parameter, 'name' | 'schema' | 'required' | 'description'> & Partial<Pick<Parameter, 'in'>>;

/** What fields, parameters or headers are and mean. */
export function FieldsTable({ fields, label }: { fields: readonly Field[]; label: string }) {
  return (
    <TextTable label={label} columns={['Name', 'Type', 'Meaning']} className={classes.table}>
      {fields.map(({ name, schema, required, description, in: place }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
            {place && <small>{place === 'query' ? 'query parameter' : 'header'}</small>}
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

/** The type of a value in JSON's words. Names of schemas lead to their tables. */
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
