/** Names of columns and JSON fields that contain a domain, the most specific first. */
const nameFields = [
  ...['domain', 'rootdomain', 'domainname', 'registrabledomain', 'fqdn', 'hostname', 'host', 'origin'],
  ...['website', 'site', 'websiteurl', 'siteurl', 'url', 'address', 'name'],
];

/** Returns how specifically a column or field is named after domains, 0 for the best, and -1 if it is not. */
export function rankNameField(field: string): number {
  const name = field.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const rank = nameFields.indexOf(name);
  return rank < 0 && name.endsWith('s') ? nameFields.indexOf(name.slice(0, -1)) : rank;
}
