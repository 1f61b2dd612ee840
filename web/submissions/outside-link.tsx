import { Anchor, VisuallyHidden } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';

interface OutsideLinkProps {
  href: string;
  /** Whether it stands within a text, where colour alone would not tell it apart. */
  inText?: boolean;
  children: ReactNode;
}

/** A link to a suggested site, which learns nothing about us. */
export function OutsideLink({ href, inText = false, children }: OutsideLinkProps) {
  return (
    <Anchor
      inherit
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      underline={inText ? 'always' : 'hover'}
    >
      {children}&nbsp;
      <ExternalLink size={12} aria-hidden />
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </Anchor>
  );
}
