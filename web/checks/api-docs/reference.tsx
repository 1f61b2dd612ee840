import type { ReactNode } from 'react';
import type { ApiResponse, JsonSchema } from '#shared/checks/openapi-components.ts';
import type { Parameter } from '#shared/checks/openapi-operation.ts';
import type { ErrorBody } from '#shared/platform/errors.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { TextTable } from '../../ui/doc-page.tsx';
import styles from './api-docs-page.module.css';
import {
  type ApiCall,
  apiDocument,
  findBody,
  isObject,
  listExamples,
  listObjects,
  listResponses,
  resolveSchema,
} from './api-document.ts';
import { CodeSamples } from './code-samples.tsx';
import { Columns } from './columns.tsx';
import { Inline } from './markdown.tsx';

/** The description of a call: its parameters, body, responses and errors. */
export function CallText({ call: { method, path, operation } }: { call: ApiCall }) {
  const { summary, description, parameters = [], requestBody } = operation;
  const [[bodyType, body] = []] = Object.entries(requestBody?.content ?? {});
  const responses = listResponses(operation);
  return (
    <>
      <p className={styles.endpoint}>
        <Method name={method} /> <code>{path}</code>
      </p>
      <p>
        <Inline text={description} />
      </p>
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <FieldsTable fields={parameters} label={`Parameters: ${summary}`} isRequest />
        </>
      )}
      {body && (
        <>
          <h3>Body ({bodyType === 'application/json' ? 'JSON' : 'form'})</h3>
          <FieldsTable fields={listFields(resolveSchema(body.schema).schema)} label={`Body: ${summary}`} isRequest />
        </>
      )}
      <h3>Returns</h3>
      {responses.filter(isSuccess).map(([status, response]) => (
        <Returns key={status} status={status} response={response} />
      ))}
      <h3>Errors</h3>
      <TextTable label={`Errors: ${summary}`} columns={['Status', 'Cause and what to do']} className={styles.errors}>
        {responses
          .filter((entry) => !isSuccess(entry))
          .map(([status, response]) => (
            <tr key={status}>
              <th scope="row">
                {status}
                <small>{getErrorCode(response)}</small>
              </th>
              <td>
                <Inline text={response.description} />
              </td>
            </tr>
          ))}
      </TextTable>
    </>
  );
}

export function Method({ name }: { name: string }) {
  return (
    <b className={styles.method} data-method={name}>
      {name}
    </b>
  );
}

const isSuccess = ([status]: [status: string, response: ApiResponse]) => Number(status) < 400;

function Returns({ status, response }: { status: string; response: ApiResponse }) {
  const body = findBody(response);
  return (
    <p>
      <b>{status}</b> {!body && 'without a body.'}
      {body?.mediaType === 'text/csv' && 'with a CSV file.'}
      {body?.mediaType === 'text/plain' && 'with a text file.'}
      {body?.mediaType === 'application/json' && (
        <>
          with a <Type schema={body.schema} /> object.
        </>
      )}{' '}
      <Inline text={response.description} />
    </p>
  );
}

function getErrorCode(response: ApiResponse): string {
  const [example] = listExamples(response);
  return (example?.value as ErrorBody | undefined)?.code ?? '';
}

/** Sample code for a call, and an example of every response. */
export function CallExamples({ operation }: Pick<ApiCall, 'operation'>) {
  const { summary } = operation;
  return (
    <>
      <h3>Request</h3>
      <CodeSamples samples={operation['x-codeSamples']} title={summary} />
      <h3>Response</h3>
      {listResponses(operation).map(([status, response], index) => (
        <details key={status} className={styles.response} open={index === 0}>
          <summary>
            <b data-success={isSuccess([status, response]) || undefined}>{status}</b>{' '}
            {getErrorCode(response) || successNames[status]}
          </summary>
          <ResponseExamples response={response} label={`${summary}, ${status}`} />
        </details>
      ))}
    </>
  );
}

const successNames: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  304: 'Not Modified',
};

function ResponseExamples({ response, label }: { response: ApiResponse; label: string }) {
  const names = Object.keys(response.headers);
  return (
    <div className={styles.body}>
      {names.length > 0 && (
        <p>
          <Inline text={`Headers: ${names.map((name) => `\`${name}\``).join(', ')}`} />
        </p>
      )}
      {!response.content && <p>No body.</p>}
      {listExamples(response).map(({ summary, value }) => (
        <figure key={summary} className={styles.figure}>
          <figcaption>{summary}</figcaption>
          <CodeBlock
            code={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
            label={`${label}: ${summary}`}
            wrap
          />
        </figure>
      ))}
    </div>
  );
}

/** Every object that fields refer to, with its fields and an example. The name is the anchor. */
export function Objects() {
  return listObjects().map((name) => {
    const schema = apiDocument.components.schemas[name] ?? {};
    const [example] = schema.examples ?? [];
    return (
      <div key={name} id={name} className={styles.object}>
        <Columns examples={<CodeBlock code={JSON.stringify(example, null, 2)} label={`an example of ${name}`} wrap />}>
          <h3>{name}</h3>
          <p>
            <Inline text={schema.description ?? ''} />
          </p>
          <FieldsTable fields={listFields(schema)} label={`Fields of ${name}`} />
        </Columns>
      </div>
    );
  });
}

type Field = Pick<Parameter, 'name' | 'schema' | 'required' | 'description'> & Partial<Pick<Parameter, 'in'>>;

function listFields({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description ?? '',
  }));
}

interface FieldsTableProps {
  fields: readonly Field[];
  label: string;
  /** Whether the fields are sent, so that the table says which are required. */
  isRequest?: boolean;
}

/** Fields or parameters with their types. */
function FieldsTable({ fields, label, isRequest = false }: FieldsTableProps) {
  return (
    <TextTable label={label} columns={['Name', 'Description']} className={styles.table}>
      {fields.map(({ name, schema, required, description, in: place }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
            <small>
              <Type schema={schema} />
            </small>
            {isRequest && required && <small data-required>required</small>}
            {!required && <small>optional{place === 'header' && ' header'}</small>}
          </th>
          <td>
            <Inline text={description} />
          </td>
        </tr>
      ))}
    </TextTable>
  );
}

/** The JSON type of a value. The names of objects link to their tables. */
function Type({ schema }: { schema: JsonSchema }): ReactNode {
  const { name, schema: resolved } = resolveSchema(schema);
  if (name && isObject(resolved)) return <a href={`#${name}`}>{name}</a>;
  // The description explains a longer list.
  if (resolved.enum && resolved.enum.length <= 6)
    return resolved.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (resolved.anyOf && !resolved.type) {
    return resolved.anyOf.map((option, index) => (
      <span key={JSON.stringify(option)}>
        {index > 0 && ' or '}
        <Type schema={option} />
      </span>
    ));
  }
  if (resolved.items) {
    return (
      <>
        array of <Type schema={resolved.items} />
        {resolved.maxItems !== undefined && `, ${resolved.minItems ?? 0} to ${resolved.maxItems}`}
      </>
    );
  }
  if (resolved.additionalProperties) {
    return (
      <>
        object of <Type schema={resolved.additionalProperties} />
      </>
    );
  }
  const types = [resolved.type ?? 'any'].flat().join(' or ');
  const format = resolved.format === 'date-time' ? ', ISO 8601' : resolved.format ? `, ${resolved.format}` : '';
  return `${types}${format}${resolved.maxLength === undefined ? '' : `, up to ${resolved.maxLength.toLocaleString('en-US')} characters`}`;
}
