/** The delimiters of tables, best first. */
export const candidateDelimiters = [
  { byte: 9, name: 'tab' },
  { byte: 59, name: 'semicolon' },
  { byte: 44, name: 'comma' },
  { byte: 124, name: 'vertical bar' },
] as const;
