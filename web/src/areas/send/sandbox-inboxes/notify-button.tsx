import { Button } from '@mantine/core';
import { useState } from 'react';
import { tell } from '../../../ground/shell/ask.ts';
import { isNotifying, setNotifying } from './notices.ts';

/** Whether this browser tells of new messages of an inbox while its page is open. */
export function NotifyButton({ inbox }: { inbox: string }) {
  const [isOn, setIsOn] = useState(isNotifying(inbox));
  if (!('Notification' in window)) return null;
  const toggle = async (): Promise<void> => {
    const isWanted = !isOn;
    if (isWanted && (await Notification.requestPermission()) !== 'granted')
      return tell({
        color: 'red',
        title: 'This browser shows no notifications',
        message: 'Allow them for this address in the settings of the browser, then press the button again.',
      });
    setNotifying(inbox, isWanted);
    return setIsOn(isWanted);
  };
  return (
    <Button size="xs" variant={isOn ? 'filled' : 'default'} aria-pressed={isOn} onClick={() => void toggle()}>
      Notify me
    </Button>
  );
}
