import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** Files that define the colors and widths which all others use by name. */
const tokens = ['web/shell/global.css', 'web/shell/theme.ts', 'web/ui/breakpoints.ts', 'web/ui/typography.ts'];

const colors =
  /#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|:[^;]*[\s(](?:white|black|gray|red|green|blue|yellow|orange)\b(?!-)/i;

/** Mantine's style props. The names of HTML attributes among them are left out: `left`, `top` and `display`. */
const styleProps =
  /^(?:[mp][xytbselr]?|bd|bdrs|bg|c|opacity|ff|f[zws]|lts|t[atd]|lh|mi[wh]|ma[wh]|[wh]|pos|inset|flex)$/;

/** Returns a sentence for each raw color, width of a window, and style prop of Mantine. */
export function checkStyles(file: string, text: string): string[] {
  if (tokens.includes(file)) return [];
  const lines = text.replace(/\/\*.*?\*\//gs, (comment) => comment.replace(/[^\n]/g, '')).split('\n');
  const isCss = file.endsWith('.css');
  return [
    ...lines.flatMap((line, i) => [
      ...(isCss && colors.test(line) ? [`${file}:${i + 1} has a color. Use a token of web/shell/global.css.`] : []),
      ...(/\((?:max|min)-width: ?\d|\(width [<>]/.test(line)
        ? [`${file}:${i + 1} has a width of a window. Use a layout of web/ui/breakpoints.ts.`]
        : []),
    ]),
    ...(file.endsWith('.tsx') ? findStyleProps(file, text) : []),
  ];
}

function findStyleProps(file: string, text: string): string[] {
  const { program, module } = parseSync(file, text);
  const components = module.staticImports
    .filter(({ moduleRequest: { value } }) => value.startsWith('@mantine/') || value.endsWith('/typography.ts'))
    .flatMap(({ entries }) => entries.map(({ localName }) => localName.value));
  const found: string[] = [];
  new Visitor({
    JSXOpeningElement({ name, attributes }) {
      if (!components.includes(text.slice(name.start, name.end).split('.')[0] ?? '')) return;
      for (const { type, start, end } of attributes) {
        const prop = text.slice(start, end).split('=')[0] ?? '';
        if (type !== 'JSXAttribute' || !styleProps.test(prop)) continue;
        const line = text.slice(0, start).split('\n').length;
        found.push(`${file}:${line} has the style prop ${prop}. Use the CSS module of the component.`);
      }
    },
  }).visit(program);
  return found;
}

/** Returns a sentence for each class of a CSS module that none of the files that import the module uses. */
export function findUnusedClasses(module: string, css: string, importers: string[]): string[] {
  const classes = css.replace(/\/\*.*?\*\/|:global\([^)]*\)|\{[^{}]*\}/gs, '{}').matchAll(/\.([a-z]\w*)/gi);
  const names = new Set(Array.from(classes, ([, name = '']) => name));
  const isUsed = (name: string) => importers.some((text) => new RegExp(`\\.${name}\\b|\\w\\[\\w+\\]`).test(text));
  return [...names]
    .filter((name) => !isUsed(name))
    .map((name) => `${module} has the class ${name}, which nothing uses.`);
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const read = (pattern: string) =>
    globSync(pattern, { cwd: root }).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  const sources = read('web/**/*.{ts,tsx}').filter(({ file }) => !file.includes('.test.'));
  const styles = read('web/**/*.css');
  const modules = styles.filter(({ file }) => file.endsWith('.module.css'));
  const violations = [
    ...[...sources, ...styles].flatMap(({ file, text }) => checkStyles(file, text)),
    ...modules.flatMap(({ file, text }) => {
      const name = file.slice(file.lastIndexOf('/'));
      const importers = sources.filter((source) => source.text.includes(`${name}'`)).map((source) => source.text);
      return findUnusedClasses(file, text, importers);
    }),
  ];
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) process.exit(1);
  console.log('Styles: colors and widths come from tokens, modules style all components, and no class is unused.');
}
