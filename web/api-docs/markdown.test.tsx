import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { openApiDocument } from '#shared/openapi.ts';
import { Markdown } from './markdown.tsx';

const htmlOf = (text: string) => renderToStaticMarkup(<Markdown text={text} />).replaceAll(/ class="[^"]*"/g, '');

test('blank lines separate paragraphs, and marks within them become code and bold text', () => {
  expect(htmlOf('Send `a*b*` **now**.\n\n### Then')).toBe('<p>Send <code>a*b*</code> <b>now</b>.</p><h3>Then</h3>');
  expect(htmlOf('> **Never** do it.')).toBe('<p><b>Never</b> do it.</p>');
});

test('a table is named after its first column, and each row after its first cell', () => {
  expect(htmlOf('| Cause | Wait | Do |\n| --- | --- | --- |\n| Too many | 2 | Wait. |')).toBe(
    '<table aria-label="Cause"><thead><tr><th scope="col">Cause</th><th scope="col">Wait</th><th scope="col">Do</th></tr></thead>' +
      '<tbody><tr><th scope="row">Too many</th><td data-name="Wait">2</td><td>Wait.</td></tr></tbody></table>',
  );
});

test('an example of a header can be copied under its name', () => {
  const html = htmlOf('```http the header with the key\nX-API-Key: a\n```');
  expect(html).toContain('X-API-Key: a');
  expect(html).toContain('aria-label="Copy the header with the key"');
});

test('the guide has no marks but those that the page draws', () => {
  const chapters = openApiDocument('https://linksieve.example').info.description.split('\n\n## ').slice(1);
  expect(chapters.length).toBeGreaterThan(5);
  const text = htmlOf(chapters.join('\n\n')).replaceAll(/<code>.*?<\/code>/gs, '');
  expect(text).not.toMatch(/[`#|]|\*\*|&gt;|<p>- |\]\(/);
});
