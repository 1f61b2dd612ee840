import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'vite';

/** A text of the interface and its place in the source. */
export interface InterfaceString {
  /** Path from the root of the project. */
  file: string;
  line: number;
  /** `{…}` marks a value, `<tag>…</tag>` an element inside a sentence. */
  text: string;
}

type Node = Parameters<NonNullable<ConstructorParameters<typeof Visitor>[0]['JSXElement']>>[0]['children'][number];

/** Attributes and properties whose value is always text, even if it is a single lower-case word. */
const textNames = /^(label|title|placeholder|alt|description|hint|heading|summary|aria-label|aria-description)$/;
/** Attributes and properties whose value is never text. */
const codeNames =
  /^(className|id|key|to|href|src|d|type|role|rel|style|viewBox|transform|points|autoComplete|pattern|method|path|sizes)$/;
/** Tags of templates that are not text. */
const codeTags = /^(sql|css)$/;

/**
 * Lists the texts of the interface: pages, emails, API errors and documentation, command line and log. A literal counts
 * as text if it has two words or starts with a capital letter. So the list contains some literals that only programs
 * read, and misses single lower-case words outside `label`, `title` and similar names.
 * @param root folder that contains `web`, `server`, `shared` and `cli`
 */
export function listStrings(root: string): InterfaceString[] {
  return globSync('{web,server,shared,cli}/**/*.{ts,tsx,html}', { cwd: root })
    .filter((file) => !/\.(test|fixtures)\.tsx?$|\/store[\w-]*\.ts$/.test(file))
    .sort()
    .flatMap((file) => extractStrings(file, readFileSync(join(root, file), 'utf8')));
}

/**
 * Returns the texts of one file in the order of their lines.
 * @param file path for the result; its extension selects TypeScript or HTML
 * @param source content of the file
 */
export function extractStrings(file: string, source: string): InterfaceString[] {
  const found: InterfaceString[] = [];
  const add = (text: string, offset: number) => {
    const line = source.slice(0, offset).split('\n').length;
    found.push({ file, line, text: text.replaceAll(/\s+/g, ' ').trim() });
  };
  if (file.endsWith('.html')) {
    for (const { 1: text = '', index } of source.matchAll(/>([^<>]*[A-Za-z][^<>]*)</g)) add(text, index);
    return found;
  }
  const { program } = parseSync(file, source);
  /** Ranges whose literals are not listed: import paths, types, and texts that are already added. */
  const skipped: [start: number, end: number][] = [];
  const skip = (node: { start: number; end: number }) => skipped.push([node.start, node.end]);
  const isSkipped = ({ start, end }: { start: number; end: number }) =>
    skipped.some(([from, to]) => from <= start && end <= to);
  const addLiteral = (text: string, node: { start: number; end: number }) => {
    if (!isSkipped(node) && isProse(text)) add(text, node.start);
  };
  /** Adds or skips the value of an attribute or property whose name says whether it is text. */
  const addNamed = (name: string, value: { type: string; start: number; end: number } | null) => {
    if (!value) return;
    // Only plain values are skipped: a schema or a function may contain texts, such as the messages of a field.
    if (codeNames.test(name) && /^(Literal|TemplateLiteral|JSXExpressionContainer)$/.test(value.type)) skip(value);
    if (!textNames.test(name)) return;
    const text = 'value' in value && typeof value.value === 'string' ? value.value : undefined;
    if (text === undefined || !/[A-Za-z]/.test(text)) return;
    add(text, value.start);
    skip(value);
  };
  /** Elements that are already added as part of the sentence around them. */
  const merged = new Set<Node>();
  const addElement = (node: Extract<Node, { children: Node[] }>) => {
    const isSentence = node.children.some((child) => child.type === 'JSXText' && child.value.trim());
    if (isSentence && !merged.has(node)) add(node.children.map(getContent).join(''), node.start);
    if (isSentence || merged.has(node)) for (const child of node.children) merged.add(child);
  };
  new Visitor({
    ImportDeclaration: skip,
    ExportAllDeclaration: skip,
    ImportExpression: ({ source: specifier }) => skip(specifier),
    TSLiteralType: skip,
    ExpressionStatement: (node) => {
      if ('directive' in node && node.directive) skip(node);
    },
    BinaryExpression: ({ operator, left, right }) => {
      if (/^[!=]==?$/.test(operator)) for (const side of [left, right]) skip(side);
    },
    SwitchCase: ({ test }) => test && skip(test),
    TaggedTemplateExpression: (node) => {
      if (codeTags.test(source.slice(node.tag.start, node.tag.end))) skip(node.quasi);
    },
    Property: ({ key, value }) => {
      if (key.type === 'Literal') skip(key);
      addNamed(source.slice(key.start, key.end).replaceAll(/['"]/g, ''), value);
    },
    JSXAttribute: ({ name, value }) => {
      const attribute = source.slice(name.start, name.end);
      // The name of a form field. As a property, `name` is often a heading or label.
      if (attribute === 'name' && value) skip(value);
      else addNamed(attribute, value);
    },
    JSXElement: addElement,
    JSXFragment: addElement,
    Literal: (node) => {
      if (typeof node.value === 'string') addLiteral(node.value, node);
    },
    TemplateLiteral: (node) => addLiteral(node.quasis.map(({ value }) => value.cooked ?? '').join('{…}'), node),
  }).visit(program);
  return found.sort((one, other) => one.line - other.line);
}

/** Whether a literal looks like text: it has two words, or is one word that starts with a capital letter. */
function isProse(text: string): boolean {
  return /[A-Za-z“”’}]{2,}[”,:;.!?)]* [“(]?[A-Za-z{]{1,}/.test(text) || /^[A-Z]([a-z]+|[A-Z]+)[.…!?]?$/.test(text);
}

/** Returns the content of a JSX node, with marks for its elements and values. */
function getContent(node: Node): string {
  if (node.type === 'JSXText') return node.value;
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    const tag = node.type === 'JSXElement' && 'name' in node.openingElement.name ? node.openingElement.name.name : '';
    const content = node.children.map(getContent).join('');
    return content === '' ? `<${tag}/>` : `<${tag}>${content}</${tag}>`;
  }
  if (node.type !== 'JSXExpressionContainer') return '';
  const { expression } = node;
  if (expression.type === 'JSXEmptyExpression') return '';
  return expression.type === 'Literal' && typeof expression.value === 'string' ? expression.value : '{…}';
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { json: { type: 'boolean' } } });
  const strings = listStrings(join(import.meta.dirname, '..'));
  if (values.json) console.log(JSON.stringify(strings, null, 2));
  else for (const { file, line, text } of strings) console.log(`${file}:${line}\t${text}`);
}
