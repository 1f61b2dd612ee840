import type { ReactNode } from 'react';
import type { JsonSchema } from '#shared/openapi-document.ts';
import { isObject, named } from './api-document.ts';

/** What a value can be, in the words of JSON; names of shapes lead to their tables. */
export function TypeWords({ schema }: { schema: JsonSchema }): ReactNode {
  const { name, schema: meant } = named(schema);
  if (name && isObject(meant)) return <a href={`#${name}`}>{name}</a>;
  if (meant.enum) return meant.enum.map((word) => `'${word}'`).join(' | ');
  if (meant.anyOf) {
    return meant.anyOf.map((one, index) => (
      <span key={JSON.stringify(one)}>
        {index > 0 && ' or '}
        <TypeWords schema={one} />
      </span>
    ));
  }
  if (meant.items) {
    return (
      <>
        array of <TypeWords schema={meant.items} />
        {meant.maxItems !== undefined && `, ${meant.minItems ?? 0} to ${meant.maxItems}`}
      </>
    );
  }
  if (meant.additionalProperties) {
    return (
      <>
        object of <TypeWords schema={meant.additionalProperties} />
      </>
    );
  }
  const words = [meant.type ?? 'anything'].flat().join(' or ');
  const form = meant.format === 'date-time' ? ', ISO 8601' : meant.format ? `, ${meant.format}` : '';
  return `${words}${form}${meant.maxLength === undefined ? '' : `, up to ${meant.maxLength} characters`}`;
}
