/** The name of a key's row, which takes the focus when the key is the last one that fits, or follows a deleted one. */
export const keyRowId = (id: number) => `api-key-${id}`;
