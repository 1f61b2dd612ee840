import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * The inner width of an element in pixels, measured before the first paint. It is 0 in the first render. The element
 * must exist as long as the component.
 */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
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
