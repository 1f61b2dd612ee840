import { Paper, Text, Title } from '@mantine/core';
import styles from './submit-page.module.css';

/** What becomes of a submission, and what makes a good one. */
export function SideCards() {
  return (
    <aside className={styles.side} aria-label="About submissions">
      <Paper className={styles.card}>
        <Title order={2} size="h3" mb={6}>
          Why Submit Sites?
        </Title>
        <Text size="sm">
          Every paid-link site that is listed warns all others: it marks the harmful links in their reports and keeps
          them from buying there. What you know helps the sites of people who do not.
        </Text>
      </Paper>
      <Paper className={styles.card}>
        <Title order={2} size="h3" mb={10}>
          What Happens Next?
        </Title>
        <ol className={styles.steps}>
          <li>
            <b>Review.</b> An admin reads your submission.
          </li>
          <li>
            <b>Verification.</b> The evidence is checked against the offer itself.
          </li>
          <li>
            <b>Addition if verified.</b> The site joins the blacklist with its sources. Otherwise you see the reason
            below.
          </li>
        </ol>
      </Paper>
      <Paper className={styles.card}>
        <Title order={2} size="h3" mb={6}>
          Important Note
        </Title>
        <Text size="sm">
          Please give evidence that can be verified: the address of a price list or an offer, the name of the
          marketplace, or what an email of the seller says. A listing without it would be unfair to the site, and is
          rejected.
        </Text>
      </Paper>
    </aside>
  );
}
