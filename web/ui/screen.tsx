import { Anchor, type AnchorProps, Container, Text, Title } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { useTitle } from '../platform/use-title.ts';

interface ScreenProps {
  /** The heading and the title of the browser tab. */
  title: string;
  /** What the screen is for, in one sentence. */
  lead: string;
  children: ReactNode;
}

/** The frame of a screen for signed-in users. */
export function Screen({ title, lead, children }: ScreenProps) {
  useTitle(title);
  return (
    <Container size="var(--frame-width)" pt={28} pb={40}>
      <Title order={1}>{title}</Title>
      <Text c="dimmed" mt={4} mb="lg" maw="68ch">
        {lead}
      </Text>
      {children}
    </Container>
  );
}

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> & { ref?: Ref<HTMLAnchorElement> };

/** An inline link to a screen. */
export const TextLink = createLink((props: AnchorProps & Native) => <Anchor {...props} />);
