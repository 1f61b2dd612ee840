import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { openApiDocument } from '#shared/checks/openapi.ts';
import { Markdown } from './markdown.tsx';

const render = (text: string) =>
  renderToStaticMarkup(<Markdown title="Chapter" text={text} />).replaceAll(/ class="[^"]*"/g, '');

test('renders paragraphs, headings, lists, warnings, code, bold text and links', () => {
  expect(render('Send `a*b*` **now**.\n\n### Then')).toBe('<p>Send <code>a*b*</code> <b>now</b>.</p><h3>Then</h3>');
  expect(render('- **Use `a`.**\n- Stop.')).toBe('<ul><li><b>Use <code>a</code>.</b></li><li>Stop.</li></ul>');
  expect(render('> **Never** do it.')).toBe('<p><b>Never</b> do it.</p>');
  expect(render('**[A file](/a.txt)** (or [b](/b.txt)).')).toBe(
    '<p><b><a href="/a.txt">A file</a></b> (or <a href="/b.txt">b</a>).</p>',
  );
});

test('labels a table with the heading before it or the title, and each row with its first cell', () => {
  const table = '| Cause | Wait | Do |\n| --- | --- | --- |\n| `many` | 2 | Wait. |';
  expect(render(table)).toBe(
    '<table aria-label="Chapter"><thead><tr><th scope="col">Cause</th><th scope="col">Wait</th><th scope="col">Do</th></tr></thead>' +
      '<tbody><tr><th scope="row"><code>many</code></th><td data-name="Wait">2</td><td>Wait.</td></tr></tbody></table>',
  );
  expect(render(`### Status 429\n\nWait.\n\n${table}`)).toContain('<table aria-label="Status 429">');
});

test('renders a code block with its title and a copy button', () => {
  const html = render('Before.\n\n```http the header\nX-API-Key: a\n\nAccept: b\n```\n\nAfter.');
  expect(html).toMatch(/^<p>Before.<\/p>.*<p>After.<\/p>$/s);
  expect(html).toContain('X-API-Key: a');
  expect(html).toContain('Accept: b');
  expect(html).toContain('aria-label="Copy the header"');
  expect(html).toContain('<h3>the header</h3>');
});

test('the guide uses only Markdown that the page supports', () => {
  const text = openApiDocument('https://linksieve.example').info.description;
  expect(text.split('\n\n## ').length).toBeGreaterThan(5);
  const html = render(text.replaceAll('\n\n## ', '\n\n')).replaceAll(/<code>.*?<\/code>/gs, '');
  expect(html).not.toMatch(/[`#|]|\*\*|&gt;|<p>- |\]\(/);
});
