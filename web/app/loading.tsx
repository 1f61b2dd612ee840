import { Center, Group, Loader, Text } from '@mantine/core';
import { useDelayed } from '../ui/use-delayed.ts';

/** A whole screen's wait. Nothing shows for the first moment, so that a quick answer does not flicker. */
export function Loading() {
  const show = useDelayed();
  return (
    <Center mih="50vh" role="status">
      {show && (
        <Group gap="sm">
          <Loader size="sm" aria-hidden />
          <Text c="dimmed">Loading...</Text>
        </Group>
      )}
    </Center>
  );
}
