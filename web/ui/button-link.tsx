import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps | keyof AnchorProps> & {
  ref?: Ref<HTMLAnchorElement>;
};

/** A link to a screen that looks like a button: `<ButtonLink to={paths.domains}>`. */
export const ButtonLink = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />);

/** A link to a screen within text. */
export const TextLink = createLink((props: AnchorProps & Native) => <Anchor {...props} />);
