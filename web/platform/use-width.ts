import { type RefObject, useLayoutEffect, useState } from 'react';
import { servedDisplay } from './page-state.ts';

/** The padding of a screen and the border of a list at each side, and the greatest width of a screen (global.css). */
const [padding, maxWidth] = [17, 1680];

/**
 * The inner width of an element in pixels, measured before the first paint. In the first render it is 0, or on a served
 * page that of a list as wide as the screen. It is mostly right, and then nothing is rendered again. The element must
 * exist as long as the component.
 */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(() =>
    Math.max(0, Math.min(servedDisplay()?.contentWidth ?? 0, maxWidth) - 2 * padding),
  );
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
