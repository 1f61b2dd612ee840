import { Anchor, type AnchorProps, Container, type ContainerProps, Title } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { useTitle } from '../platform/use-title.ts';
import styles from './screen.module.css';
import { Lead } from './typography.ts';

interface ScreenProps {
  /** The heading and the title of the browser tab. */
  title: string;
  /** The heading, if it is more than text. */
  heading?: ReactNode;
  /** What the screen is for, in one sentence. */
  lead: string;
  children: ReactNode;
}

/** The margins of a screen for signed-in users. */
export const Page = (props: Pick<ContainerProps, 'size' | 'children'>) => (
  <Container className={styles.page} {...props} />
);

/** A screen for signed-in users with its heading. */
export function Screen({ title, heading = title, lead, children }: ScreenProps) {
  useTitle(title);
  return (
    <Page>
      <Title order={1}>{heading}</Title>
      <Lead size="md">{lead}</Lead>
      {children}
    </Page>
  );
}

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> & { ref?: Ref<HTMLAnchorElement> };

/** An inline link to a screen. */
export const TextLink = createLink((props: AnchorProps & Native) => <Anchor {...props} />);
