import { Collapse, Textarea, UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { ChevronDownIcon, ChevronRightIcon } from '../../ground/brand/icons.tsx';
import classes from '../mail/mail.module.css';
import { readMergeData } from './merge-data.ts';

interface MergeDataInputProps {
  text: string;
  /** What the service says about it. */
  error: string | undefined;
  onText: (text: string) => void;
}

/** Values for the merge tags of the message, as JSON. Closed until it is wanted. */
export function MergeDataInput({ text, error, onText }: MergeDataInputProps) {
  const [isOpen, setOpen] = useState(text !== '');
  const id = useId();
  const isShown = isOpen || error !== undefined;
  return (
    <div>
      <UnstyledButton
        className={classes.disclosure}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isShown)}
      >
        {isShown ? <ChevronDownIcon /> : <ChevronRightIcon />} Replace merge tags
      </UnstyledButton>
      <Collapse expanded={isShown} id={id}>
        <Textarea
          label="Merge data"
          name="data"
          description={
            'Enter names and values as JSON. They replace merge tags such as {{first_name}}, *|FIRST_NAME|* and ' +
            '%recipient.first_name%.'
          }
          placeholder={'{ "first_name": "Ada" }'}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12.5 } }}
          value={text}
          error={readMergeData(text).fault ?? error}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      </Collapse>
    </div>
  );
}
