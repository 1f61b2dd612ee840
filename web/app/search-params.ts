/** The query of an address as an object: whole numbers as numbers, anything else as text. Addresses stay readable. */
export function readSearch(query: string): Record<string, string | number> {
  const search: Record<string, string | number> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    search[name] = /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
  }
  return search;
}

/** The object as a query with its `?`. What is undefined, null or empty leaves the address. */
export function writeSearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.size > 0 ? `?${query}` : '';
}
