import { createElement, type FunctionComponent, lazy, useEffect, useState } from 'react';
import { checkConnection, waitForConnection } from './connection.ts';
import { addPart, servedRequest } from './page-state.ts';

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

/** With `void`, TypeScript does not look into the component, which can use the types of the routes. */
type PropsOf<Component> = Component extends (props: infer Props) => void ? Props & object : never;

/** A component with a function that loads it; undefined once it is loaded. */
type Preloaded<Part> = Part & { preload?: (() => Promise<void>) | undefined };

/** Loads a part for `loadParts`. */
const parts = new Map<string, () => Promise<void>>();

/** The parts of the served page that React has not adopted. */
const served = new Set<string>();

/**
 * Returns a component that is loaded when it is first rendered, inside a Suspense boundary. The router loads screens
 * with `preload`.
 * @param load returns the module of the component
 * @param name the name of the component in its module, which no other part has
 */
export function lazyPart<Module, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): Preloaded<FunctionComponent<PropsOf<Module[Name]>>> {
  type Part = FunctionComponent<PropsOf<Module[Name]>>;
  const loadComponent = async () => (await loadPart(load))[name] as Part;
  const Lazy = lazy(async () => ({ default: await loadComponent() })) as unknown as Part;
  let Loaded: Part | undefined;
  const preload = async () => {
    Loaded ??= await loadComponent();
    part.preload = undefined;
  };
  parts.set(name, preload);
  const LazyPart: Part = (props) => {
    addPart(name);
    useEffect(() => void served.delete(name), []);
    // Stays the same when the code is loaded again, or React would replace the part with all that was typed in it.
    const [component] = useState(() => Loaded ?? Lazy);
    return createElement(component, props);
  };
  // A failed load shows its message when the part is rendered.
  const part: Preloaded<Part> = Object.assign(LazyPart, { preload: () => preload().catch(() => undefined) });
  return part;
}

/**
 * Loads the parts of a served page, so that React adopts their HTML at once. A part that another one contains is known
 * only when that one is loaded. A part that fails shows its message when it is rendered.
 */
export async function loadParts(names: readonly string[]): Promise<void> {
  for (const name of names) served.add(name);
  const left = new Set(names);
  for (let found = [...left].filter((name) => parts.has(name)); found.length > 0; ) {
    for (const name of found) left.delete(name);
    await Promise.all(
      found.map((name) =>
        parts
          .get(name)?.()
          .catch(() => served.delete(name)),
      ),
    );
    found = [...left].filter((name) => parts.has(name));
  }
}

/** Whether React has adopted all parts of the served page. */
export const hasAdoptedParts = (): boolean => served.size === 0;

/** Expects no more parts of the served page, because the user has left it. */
export const forgetServedParts = (): void => served.clear();
