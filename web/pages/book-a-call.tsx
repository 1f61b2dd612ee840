import { useEffect, useState } from 'react';
import { pageState } from '../lib/page-state.ts';
import { ButtonAnchor } from '../ui/button.tsx';

/** The way to a call with the maintainers, where they offer one. The page is made before anybody knows whether they do. */
export function BookACall() {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => setUrl(pageState().bookACallUrl), []);
  if (!url) return null;
  return (
    <ButtonAnchor href={url} target="_blank" rel="noopener" size="md" variant="default">
      Book a Call
    </ButtonAnchor>
  );
}
