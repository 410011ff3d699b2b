import '@mantine/notifications/styles.layer.css';
import { Button, Group, Modal, Text } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { takeWords, useWaiting, type Question } from './ask.ts';

/** Shows what the pages ask and tell. */
export function Later() {
  const waiting = useWaiting();
  const [question, setQuestion] = useState<Question | null>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    for (const word of takeWords()) {
      if ('message' in word) {
        notifications.show({ closeButtonProps: { 'aria-label': 'Close' }, ...word.message });
        continue;
      }
      setQuestion(word.question);
      setOpen(true);
    }
  }, [waiting]);
  const confirm = (): void => (setOpen(false), question?.onConfirm());
  return (
    <>
      <Notifications position="bottom-right" autoClose={6000} />
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={question?.title}>
        <Text size="sm">{question?.text}</Text>
        <Group justify="flex-end" gap={8} mt="lg">
          <Button variant="default" data-autofocus onClick={() => setOpen(false)}>Keep</Button>
          <Button color="red" onClick={confirm}>{question?.confirm}</Button>
        </Group>
      </Modal>
    </>
  );
}
