import { escapeHtml } from '#shared/platform/html.ts';

/** A part of an email. A string is a paragraph. Texts may contain user input. */
export type Block = string | { heading: string } | { items: ListItem[] } | { link: Link };

interface Link {
  text: string;
  url: string;
}

/**
 * An item of a list. Mail programs turn a bare domain name into a link to that site. So HTML links the name to a page
 * of ours, and plain text has only the address of that page, unless the name is `safe`.
 */
export interface ListItem {
  name: string;
  url: string;
  text: string;
  safe?: boolean;
}

interface EmailParts {
  body: readonly Block[];
  /** Why the recipient gets the email, and what they can do about it. */
  footer: { reason: string; links: Link[] };
}

/** Returns the same content as plain text and as HTML. */
export function renderEmail({ body, footer }: EmailParts): { text: string; html: string } {
  const footerLines = [footer.reason, ...footer.links.map(({ text, url }) => `${text}: ${url}`)];
  const text = `${body.map(toText).join('\n\n')}\n\n-- \n${footerLines.join('\n')}\n`;
  const footerLinks = footer.links.map(toAnchor).join(' &middot; ');
  // Without colors, mail programs choose those of their light or dark theme.
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
</head>
<body style="margin:0;padding:16px">
<div style="max-width:600px;margin:0 auto;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:1.5;overflow-wrap:anywhere">
${body.map(toHtml).join('\n')}
<p style="margin:32px 0 0;font-size:14px;opacity:.8">${escapeHtml(footer.reason)}<br>${footerLinks}</p>
</div>
</body>
</html>
`;
  return { text, html };
}

function toText(block: Block): string {
  if (typeof block === 'string') return block;
  if ('heading' in block) return block.heading;
  if ('link' in block) return `${block.link.text}: ${block.link.url}`;
  return block.items.map(({ name, url, text, safe }) => `- ${safe ? `${name}: ` : ''}${text}\n  ${url}`).join('\n');
}

function toHtml(block: Block): string {
  if (typeof block === 'string') return `<p style="margin:0 0 16px">${escapeHtml(block)}</p>`;
  if ('heading' in block) {
    return `<h2 style="margin:24px 0 8px;font-size:16px;font-weight:600">${escapeHtml(block.heading)}</h2>`;
  }
  if ('link' in block) return `<p style="margin:16px 0">${toAnchor(block.link)}</p>`;
  const items = block.items.map(
    ({ name, url, text }) => `<li style="margin:0 0 4px">${toAnchor({ text: name, url })}: ${escapeHtml(text)}</li>`,
  );
  return `<ul style="margin:0 0 16px;padding-left:20px">\n${items.join('\n')}\n</ul>`;
}

const toAnchor = ({ text, url }: Link) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
