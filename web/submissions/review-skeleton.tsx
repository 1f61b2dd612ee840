import { Skeleton } from '@mantine/core';
import styles from './review-page.module.css';

const cards = [1, 2, 3, 4, 5];

/** Stands where the cards will be. */
export function ReviewSkeleton() {
  return (
    <div className={styles.cards} role="status" aria-label="Loading...">
      {cards.map((card) => (
        <Skeleton key={card} height={252} radius="lg" data-skeleton-card />
      ))}
    </div>
  );
}
