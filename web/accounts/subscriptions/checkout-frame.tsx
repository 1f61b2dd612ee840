import { Container, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import frame from '../../ui/card-frame.module.css';
import { Hint } from '../../ui/typography.ts';
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
    <Container size={520} className={frame.frame}>
      <div className={frame.head}>
        <Title order={1}>{title}</Title>
        <Hint>{lead}</Hint>
      </div>
      <div className={`${frame.card} ${styles.card}`}>{children}</div>
    </Container>
  );
}
