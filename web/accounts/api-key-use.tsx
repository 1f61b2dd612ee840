import { Text } from '@mantine/core';
import type { ApiKey } from '#shared/api-keys.ts';
import { checkWithKey } from '#shared/key-checks.ts';
import { curlSample, exampleNames, keyPlaceholder } from '#shared/openapi-examples.ts';
import { paths } from '../paths.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { DateText } from '../ui/date-text.tsx';
import { TextLink } from '../ui/screen.tsx';
import { AccountSection } from './account-section.tsx';
import { cutKey } from './cut-key.ts';

/** A first call that can be copied into a terminal, with the key given in it, and where to read on. */
export function ApiKeyUse({ apiKey }: { apiKey: ApiKey | undefined }) {
  const sample = curlSample({
    url: `${window.location.origin}${checkWithKey.path}`,
    query: { domain: exampleNames.unknown },
  });
  const value = apiKey?.keyValue;
  return (
    <AccountSection
      title="Use your key"
      description={
        value ? (
          <>Copy this into a terminal. Your key '{apiKey.name}' is copied whole with it.</>
        ) : (
          <>With a key in the place of {keyPlaceholder}, this works in a terminal.</>
        )
      }
    >
      <CodeBlock
        code={value ? sample.replace(keyPlaceholder, cutKey(value)) : sample}
        copied={value ? sample.replace(keyPlaceholder, value) : sample}
        label="the example for a terminal"
        wrap
      />
      <Text size="sm" mt="sm">
        <TextLink to={paths.apiDocs} underline="always">
          Read the API documentation
        </TextLink>{' '}
        for JavaScript, Python, bulk checks and errors. The day's count begins anew on{' '}
        <DateText value={nextUtcDay()} pattern="time" />, your time.
      </Text>
    </AccountSection>
  );
}

/** When the count of a day begins anew, ISO 8601. */
function nextUtcDay(): string {
  const midnight = new Date();
  midnight.setUTCHours(24, 0, 0, 0);
  return midnight.toISOString();
}
