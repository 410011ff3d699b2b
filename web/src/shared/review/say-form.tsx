import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../ground/api.ts';
import classes from './review.module.css';

const TEXT_LENGTH_MAX = 2000;

interface SayFormProps {
  label: string;
  /** What the button says. */
  action: string;
  onSay: (text: string) => Promise<unknown>;
  onCancel?: () => void;
  hasFocus?: boolean;
}

/** A text of one's own. */
export function SayForm({ label, action, onSay, onCancel, hasFocus = false }: SayFormProps) {
  const [text, setText] = useState('');
  const say = useMutation({ mutationFn: () => onSay(text.trim()), onSuccess: () => setText('') });
  const submit = (event: FormEvent): void => (event.preventDefault(), say.mutate());
  return (
    <form onSubmit={submit} className={classes.say}>
      <Textarea
        label={label}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={TEXT_LENGTH_MAX}
        value={text}
        error={say.error && sentenceOf(say.error)}
        onChange={(event) => setText(event.currentTarget.value)}
        autoFocus={hasFocus}
      />
      <div className={classes.buttons}>
        <Button type="submit" size="xs" loading={say.isPending} disabled={text.trim() === ''}>
          {action}
        </Button>
        {onCancel && (
          <Button size="xs" variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
