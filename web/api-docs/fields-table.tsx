import type { JsonSchema } from '#shared/openapi-document.ts';
import { TextTable } from '../ui/text-table.tsx';
import classes from './fields-table.module.css';
import { Marked } from './marked.tsx';
import { TypeWords } from './type-words.tsx';

export interface Field {
  name: string;
  schema: JsonSchema;
  required: boolean;
  description: string;
  /** Where it stands, if not in a body. */
  place?: string;
}

/** The fields of an object. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description ?? '',
  }));
}

/** What each field of a shape, or each parameter, is and means. */
export function FieldsTable({ fields, label }: { fields: readonly Field[]; label: string }) {
  return (
    <TextTable label={label} columns={['Name', 'Type', 'Meaning']} className={classes.table}>
      {fields.map(({ name, schema, required, description, place }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
            {place && <small>{place}</small>}
            {!required && <small>optional</small>}
          </th>
          <td>
            <TypeWords schema={schema} />
          </td>
          <td>
            <Marked text={description} />
          </td>
        </tr>
      ))}
    </TextTable>
  );
}
