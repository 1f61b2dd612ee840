/** Of zxcvbn, the part that is used: words by how often they are met, the most frequent first. */
declare module 'zxcvbn/lib/frequency_lists.js' {
  const lists: { passwords: string[] };
  // biome-ignore lint/style/noDefaultExport: how the package exports it
  export default lists;
}
