import { Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { oldSecretHours } from '#shared/accounts/webhooks.ts';
import { maxWebhooks } from '#shared/platform/usage.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { FocusedTitle, useLast } from '../../ui/dialogs.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { RowList } from '../../ui/row-list.tsx';
import { Section } from '../../ui/section.tsx';
import { Hint } from '../../ui/typography.ts';
import { AddWebhookDialog } from './add-webhook-dialog.tsx';
import { webhooksQuery } from './queries.ts';
import { WebhookRow } from './webhook-row.tsx';

/** The user's webhooks, for the account screen. */
export function Webhooks() {
  const webhooks = useQuery(webhooksQuery);
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const reason = useId();
  const { data } = webhooks;
  if (!data) return <QueryState query={webhooks} height={260} title="Error loading webhooks" />;
  const isFull = data.length >= maxWebhooks;
  return (
    <Stack component="section" gap="md" aria-label="Your webhooks">
      <Section
        title="Webhooks"
        description="Linksieve sends events to your own program, to Slack or to Discord. Failed requests are retried for three days."
        aside={
          <Hint>
            {data.length} of {maxWebhooks} webhooks
          </Hint>
        }
      >
        <Button disabled={isFull} onClick={() => setAdding(true)} {...(isFull && { 'aria-describedby': reason })}>
          Add webhook
        </Button>
        {isFull && (
          <Hint id={reason}>You have reached the limit of {maxWebhooks} webhooks. Delete one to add another.</Hint>
        )}
      </Section>
      {data.length > 0 && (
        <>
          <Verification />
          {/* Last, because deliveries open below a row. */}
          <RowList aria-label="Webhooks">
            {data.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} onSecret={setSecret} />
            ))}
          </RowList>
        </>
      )}
      <AddWebhookDialog opened={isAdding} onClose={() => setAdding(false)} onSecret={setSecret} />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </Stack>
  );
}

const sample = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
// Throws if the request is not from Linksieve. body is the text of the request.
const event = webhook.verify(body, headers);`;

/** How a program verifies a request. */
function Verification() {
  return (
    <Section
      title="Verify requests"
      description={
        <>
          Each request is signed with the secret of its webhook. Verify the signature before you use a request, and
          ignore a <code>webhook-id</code> that you have already processed.
        </>
      }
    >
      <CodeBlock code={sample} label="verification example" />
      <Text size="sm">
        <ExternalLink href="https://www.standardwebhooks.com">Libraries for other languages</ExternalLink>
      </Text>
    </Section>
  );
}

interface SecretDialogProps {
  /** Undefined closes the dialog. */
  secret: string | undefined;
  onClose(): void;
}

/** Shows a secret, which is not shown again. */
function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const shown = useLast(secret);
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={<FocusedTitle>Webhook secret</FocusedTitle>}
      size="md"
      closeOnClickOutside={false}
    >
      <Stack gap="md">
        <Text size="sm">
          Copy the secret now. For your security, it is not shown again. If you replaced an earlier secret, that one
          works for {oldSecretHours} more hours.
        </Text>
        {shown && <CodeBlock code={shown} label="the secret" wrap />}
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
