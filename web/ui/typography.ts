import { Text, Title } from '@mantine/core';

/** Quiet text: a description, a state or a detail. */
export const Hint = Text.withProps({ size: 'sm', c: 'dimmed' });

/** What a part of a screen is for, below its heading. */
export const Lead = Text.withProps({ size: 'sm', c: 'dimmed', mt: 4, maw: '68ch' });

/** The name of a file, or of what the following text is about. */
export const Strong = Text.withProps({ size: 'sm', fw: 500 });

/** Why something failed. */
export const ErrorText = Text.withProps({ size: 'sm', c: 'var(--mantine-color-error)' });

/** The heading of a part of a screen. */
export const SectionTitle = Title.withProps({ order: 2, size: 'h4', mb: 'sm' });
