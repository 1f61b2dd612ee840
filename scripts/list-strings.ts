import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'vite';

/** One text that people read, and where it is written. */
export interface InterfaceString {
  /** Path from the root of the project. */
  file: string;
  line: number;
  /** Values are shown as `{…}`, elements inside a sentence as `<tag>…</tag>`. */
  text: string;
}

type Node = Parameters<NonNullable<ConstructorParameters<typeof Visitor>[0]['JSXElement']>>[0]['children'][number];

/** Attributes and properties whose value is always text, even a single lower-case word. */
const textNames = /^(label|title|placeholder|alt|description|hint|heading|summary|aria-label|aria-description)$/;
/** Attributes and properties whose value is never text. */
const codeNames =
  /^(className|id|key|to|href|src|d|type|role|rel|style|viewBox|transform|points|autoComplete|pattern|name|method|path|sizes)$/;
/** Tags of templates that are not text. */
const codeTags = /^(sql|css)$/;

/**
 * Lists the texts of the interface: pages, emails, API errors and documentation, command line and log.
 * A literal counts as text when it has two words or begins with a capital letter. The list therefore contains a few
 * literals that only programs read, and no lower-case single words outside `label`, `title` and similar names.
 * @param root folder that contains `web`, `server`, `shared` and `cli`
 */
export function listStrings(root: string): InterfaceString[] {
  return globSync('{web,server,shared,cli}/**/*.{ts,tsx,html}', { cwd: root })
    .filter((file) => !/\.(test|fixtures)\.tsx?$|\/(test|store)[\w-]*\.ts$/.test(file))
    .sort()
    .flatMap((file) => stringsOf(file, readFileSync(join(root, file), 'utf8')));
}

/**
 * @param file path that is reported; its extension selects TypeScript or HTML
 * @param source content of the file
 */
export function stringsOf(file: string, source: string): InterfaceString[] {
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
  /** Where literals are skipped: an import path, a type, or part of a text that has been added as a whole. */
  const skipped: [start: number, end: number][] = [];
  const skip = (node: { start: number; end: number }) => skipped.push([node.start, node.end]);
  const isSkipped = ({ start, end }: { start: number; end: number }) =>
    skipped.some(([from, to]) => from <= start && end <= to);
  const addLiteral = (text: string, node: { start: number; end: number }) => {
    if (!isSkipped(node) && isProse(text)) add(text, node.start);
  };
  /** What a named value is decides better than its shape. */
  const addNamed = (name: string, value: { type: string; start: number; end: number } | null) => {
    if (!value || codeNames.test(name)) {
      if (value) skip(value);
      return;
    }
    if (!textNames.test(name)) return;
    const text = 'value' in value && typeof value.value === 'string' ? value.value : undefined;
    if (text === undefined || !/[A-Za-z]/.test(text)) return;
    add(text, value.start);
    skip(value);
  };
  /** Elements that have been printed as part of the sentence around them. */
  const merged = new Set<Node>();
  const addElement = (node: Extract<Node, { children: Node[] }>) => {
    const isSentence = node.children.some((child) => child.type === 'JSXText' && child.value.trim());
    if (isSentence && !merged.has(node)) add(node.children.map(contentOf).join(''), node.start);
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
    JSXAttribute: ({ name, value }) => addNamed(source.slice(name.start, name.end), value),
    JSXElement: addElement,
    JSXFragment: addElement,
    Literal: (node) => {
      if (typeof node.value === 'string') addLiteral(node.value, node);
    },
    TemplateLiteral: (node) => addLiteral(node.quasis.map(({ value }) => value.cooked ?? '').join('{…}'), node),
  }).visit(program);
  return found.sort((one, other) => one.line - other.line);
}

/** Whether a literal reads as text: two words, or one that begins as a sentence does. */
function isProse(text: string): boolean {
  return /[A-Za-z“”’}]{2,}[”,:;.!?)]* [“(]?[A-Za-z{]{1,}/.test(text) || /^[A-Z][a-z]+[.…!?]?$/.test(text);
}

/** The content of a JSX element as a translator sees it. */
function contentOf(node: Node): string {
  if (node.type === 'JSXText') return node.value;
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
    const tag = node.type === 'JSXElement' && 'name' in node.openingElement.name ? node.openingElement.name.name : '';
    const content = node.children.map(contentOf).join('');
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
