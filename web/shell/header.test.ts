import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const shapes = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8').match(/ d="[^"]+"/g);

it('the header logo and the favicon have the same shapes', () => {
  expect(shapes('header.tsx')?.map((shape) => shape.trim())).toEqual(
    shapes('../public/favicon.svg')?.map((shape) => shape.trim()),
  );
});
