import { Container, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './checkout.module.css';

interface Props {
  title: string;
  /** What the screen is for, in one or two sentences. */
  lead: ReactNode;
  children: ReactNode;
}

/** A heading and a centered card. */
export function CheckoutFrame({ title, lead, children }: Props) {
  return (
    <Container size={520} py={{ base: 'xl', sm: 56 }}>
      <div className={styles.head}>
        <Title order={1}>{title}</Title>
        <p>{lead}</p>
      </div>
      <div className={styles.card}>{children}</div>
    </Container>
  );
}
