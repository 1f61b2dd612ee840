import { createLink } from '@tanstack/react-router';
import { ButtonAnchor } from './button.tsx';

/** A link to a screen that looks like a button: `<ButtonLink to={paths.domains}>`. */
export const ButtonLink = createLink(ButtonAnchor);
