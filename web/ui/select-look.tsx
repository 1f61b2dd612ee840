import { ChevronDown } from 'lucide-react';

/** For the kit's selects: the chevron of our own. */
export const selectLook = {
  rightSection: <ChevronDown size={15} aria-hidden />,
  rightSectionPointerEvents: 'none',
} as const;
