import { Container, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './auth-page.module.css';

interface Props {
  title: string;
  /** What this is about, in a sentence. */
  description: ReactNode;
  children: ReactNode;
}

/** A heading and a card in the middle of the page: how one signs in, and what belongs to it. */
export function AuthFrame({ title, description, children }: Props) {
  return (
    <Container size={440} py={{ base: 'xl', sm: 56 }}>
      <Stack gap={4} mb="lg" ta="center">
        <Title order={1}>{title}</Title>
        <Text c="dimmed" size="sm" component="div" className={classes.description}>
          {description}
        </Text>
      </Stack>
      <div className={classes.card}>{children}</div>
    </Container>
  );
}
