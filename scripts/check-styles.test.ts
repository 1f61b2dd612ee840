import { expect, test } from 'vitest';
import { checkStyles, findUnusedClasses } from './check-styles.ts';

test('colors are refused outside the tokens, and words that contain their names are not', () => {
  for (const color of ['#fff', 'rgb(0 0 0 / 12%)', 'hsl(0 0% 0%)', 'white', '1px solid red']) {
    expect(checkStyles('web/a.module.css', `.a {\n  border: ${color};\n}`)).toEqual([
      'web/a.module.css:2 has a color. Use a token of web/shell/global.css.',
    ]);
  }
  const allowed = '/* As #fff. */\n.red { white-space: nowrap; color: var(--mantine-color-white); fill: currentColor }';
  expect(checkStyles('web/a.module.css', allowed)).toEqual([]);
  expect(checkStyles('web/shell/global.css', ':root { --paper: #fff }')).toEqual([]);
});

test('windows are compared with the layouts only', () => {
  const refused = ['web/a:1 has a width of a window. Use a layout of web/ui/breakpoints.ts.'];
  expect(checkStyles('web/a', '@media (max-width: 40em) {')).toEqual(refused);
  expect(checkStyles('web/a', "matchMedia('(min-width: 40em)')")).toEqual(refused);
  expect(checkStyles('web/a', '@media not (--phone) {')).toEqual([]);
});

test('style props are refused on components of Mantine only', () => {
  const check = (jsx: string) =>
    checkStyles('web/a.tsx', `import { Text, Tabs as T } from '@mantine/core';\nimport { A } from './a.tsx';\n${jsx};`);
  expect(check('<T.List mb="md" />')).toEqual([
    'web/a.tsx:3 has the style prop mb. Use the CSS module of the component.',
  ]);
  expect(check('<Text {...{}} c="dimmed" maw={3} size="sm" />')).toHaveLength(2);
  expect(check('<A mb="md"><p className="c">{m}</p></A>')).toEqual([]);
});

test('a class is used if a file that imports the module names it', () => {
  const css = '.a,\n.b:hover {\n  margin: 0 0.5em;\n}\n\n@media print {\n  :global(.c) .d {\n    top: 0;\n  }\n}';
  const unused = (...texts: string[]) => findUnusedClasses('x.module.css', css, texts);
  expect(unused('styles.a')).toEqual([
    'x.module.css has the class b, which nothing uses.',
    'x.module.css has the class d, which nothing uses.',
  ]);
  expect(unused('styles.a', 'styles.b + styles.d')).toEqual([]);
});
