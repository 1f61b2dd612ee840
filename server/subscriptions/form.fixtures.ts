export type Form = { [name: string]: string | Form };

/** Reads `a[b][0]=c` as Stripe does; a list becomes an object with its places as names. */
export function readForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(Boolean);
    const last = path.pop() ?? '';
    let place = form;
    for (const step of path) {
      const inner = place[step] ?? {};
      if (typeof inner === 'string') throw new Error(`${name} is a text and a list at once`);
      place[step] = inner;
      place = inner;
    }
    place[last] = value;
  }
  return form;
}

/** A part of it, empty where there is none. */
export const partOf = (form: Form, ...path: string[]): Form =>
  path.reduce<Form>((place, step) => (typeof place[step] === 'object' ? place[step] : {}), form);

export const textOf = (form: Form, name: string): string | null =>
  typeof form[name] === 'string' && form[name] !== '' ? form[name] : null;
