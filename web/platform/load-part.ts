import { createElement, type FunctionComponent, lazy, type ReactNode } from 'react';
import { checkConnection, waitForConnection } from './connection.ts';
import { notePart, servedRequest } from './page-state.ts';

/** Thrown if code cannot be loaded although the server responds, for example because a newer version is deployed. */
export class MissingPart extends Error {}

/**
 * Loads code with `import()`, as soon as there is a connection. The page must then be reloaded, because Chromium does
 * not repeat an import that failed.
 * @throws MissingPart if that fails, after the connection is back
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  if (servedRequest()) return load();
  await waitForConnection();
  try {
    return await load();
  } catch {
    await checkConnection();
    await waitForConnection();
    throw new MissingPart();
  }
}

type PropsOf<Component> = Component extends (props: infer Props) => ReactNode ? Props & object : never;

/** Loads a part for `loadParts`. */
const parts = new Map<string, () => Promise<void>>();

/**
 * Returns a component that is loaded when it is first rendered, inside a Suspense boundary.
 * @param load returns the module of the component
 * @param name the name of the component in its module, which no other part has
 */
export function lazyPart<Module, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): FunctionComponent<PropsOf<Module[Name]>> {
  type Part = FunctionComponent<PropsOf<Module[Name]>>;
  const loadComponent = async () => (await loadPart(load))[name] as Part;
  const Lazy = lazy(async () => ({ default: await loadComponent() })) as unknown as Part;
  let Loaded: Part | undefined;
  parts.set(name, async () => {
    Loaded = await loadComponent();
  });
  return (props) => {
    notePart(name);
    return createElement(Loaded ?? Lazy, props);
  };
}

/**
 * Loads the parts of a served page, so that React adopts their HTML at once. A part that another one contains is known
 * only when that one is loaded.
 */
export async function loadParts(names: readonly string[]): Promise<void> {
  const left = new Set(names);
  for (let found = [...left].filter((name) => parts.has(name)); found.length > 0; ) {
    for (const name of found) left.delete(name);
    await Promise.all(found.map((name) => parts.get(name)?.()));
    found = [...left].filter((name) => parts.has(name));
  }
}
