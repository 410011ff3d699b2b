import '@mantine/notifications/styles.layer.css';
import { Button, Group, Text } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { takeWords, useWaiting, type Message, type Question } from './ask.ts';
import { Dialog } from './dialog.tsx';

function show({ action, autoCloseMs, message, until, ...rest }: Message): void {
  if (until?.aborted) return;
  const run = (): void => (notifications.hide(id), action?.run());
  const id: string = notifications.show({
    closeButtonProps: { 'aria-label': 'Close' },
    ...(autoCloseMs !== undefined && { autoClose: autoCloseMs }),
    ...rest,
    message: action ? (
      <Group justify="space-between" wrap="nowrap" gap={12}>
        <span>{message}</span>
        <Button size="compact-sm" variant="default" onClick={run}>
          {action.label}
        </Button>
      </Group>
    ) : (
      message
    ),
  });
  until?.addEventListener('abort', () => notifications.hide(id));
}

/** Shows what the pages ask and tell. */
export function Later() {
  const waiting = useWaiting();
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    for (const word of takeWords()) {
      if ('message' in word) {
        show(word.message);
        continue;
      }
      setQuestion(word.question);
    }
  }, [waiting]);
  const close = (): void => setQuestion(null);
  const confirm = (): void => (close(), question?.onConfirm());
  return (
    <>
      <Notifications position="bottom-right" autoClose={6000} />
      {question && (
        <Dialog onClose={close} title={question.title}>
          <Text size="sm">{question.text}</Text>
          <Group justify="flex-end" gap={8} mt="lg">
            <Button variant="default" data-autofocus onClick={close}>
              Keep
            </Button>
            <Button color="red" onClick={confirm}>
              {question.confirm}
            </Button>
          </Group>
        </Dialog>
      )}
    </>
  );
}
