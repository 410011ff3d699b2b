import { Alert, Button, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, fieldOf, sentenceOf } from '../../../ground/api.ts';
import classes from '../../../shared/send/send.module.css';
import { ActionList } from './action-list.tsx';
import { wordsOfAction } from './action-words.ts';
import { conditionWords } from './conditions.ts';
import type { Trial } from './routes-api.ts';
import own from './routes.module.css';

function Found({ trial: { domain, is_taken: isTaken, routes }, recipient }: { trial: Trial; recipient: string }) {
  return (
    <div className={own.tried} role="status">
      {domain === null && (
        <Alert color="yellow" mb="sm" title="Mail to this address does not come in here">
          No verified domain of this account takes mail for <bdi>{recipient}</bdi>.
        </Alert>
      )}
      {isTaken ? (
        <ol className={own.found} aria-label="Routes that take the message">
          {routes.map(({ route, actions }) => (
            <li key={route.id}>
              <strong>{route.description || (conditionWords(route.expression) ?? route.expression)}</strong>{' '}
              <span className="dim">priority {route.priority}</span>
              <ActionList
                actions={actions.map(({ does, target }) => wordsOfAction(does, target))}
                none="Keeps the message"
              />
            </li>
          ))}
        </ol>
      ) : (
        <p className={own.about}>No route takes this message. It is refused while it is delivered.</p>
      )}
    </div>
  );
}

/** Which routes take a message, and what they would do. Nothing is sent. */
export function TryIt() {
  const [recipient, setRecipient] = useState('');
  const [subject, setSubject] = useState('');
  const [header, setHeader] = useState('');
  const trial = useMutation({
    mutationFn: () => {
      const fields = [
        ...(subject.trim() ? [`Subject: ${subject.trim()}`] : []),
        ...(header.trim() ? [header.trim()] : []),
      ];
      return api.call('POST /v1/galley/routes/test', {
        body: { recipient: recipient.trim(), message: fields.join('\n') },
      });
    },
  });
  const isOfRecipient = trial.error !== null && fieldOf(trial.error, ['recipient']) === 'recipient';
  const submit = (event: FormEvent): void => (event.preventDefault(), trial.mutate());
  const change = (set: (value: string) => void) => (event: { currentTarget: { value: string } }) => (
    set(event.currentTarget.value),
    trial.reset()
  );
  return (
    <section aria-labelledby="try-routes">
      <h2 id="try-routes" className={classes.part}>
        Try it
      </h2>
      <p className={own.about}>See which routes take a message, and what each would do. Nothing is sent.</p>
      <form className={own.try} onSubmit={submit} noValidate>
        <TextInput
          label="Recipient"
          name="try-recipient"
          placeholder="orders@example.com"
          value={recipient}
          error={isOfRecipient && sentenceOf(trial.error)}
          onChange={change(setRecipient)}
        />
        <TextInput label="Subject" name="try-subject" value={subject} onChange={change(setSubject)} />
        <Button type="submit" variant="default" loading={trial.isPending} disabled={recipient.trim() === ''}>
          Try routes
        </Button>
        <details className={own.more}>
          <summary>More header fields</summary>
          <Textarea
            aria-label="Header fields"
            name="try-header"
            autosize
            minRows={2}
            mt={8}
            styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12.5 } }}
            placeholder={'From: ann@example.net\nX-Shop: one'}
            value={header}
            onChange={change(setHeader)}
          />
        </details>
      </form>
      {trial.error && !isOfRecipient && (
        <Alert color="red" mb="lg" title="The routes could not be tried">
          {sentenceOf(trial.error)}
        </Alert>
      )}
      {trial.data && <Found trial={trial.data} recipient={recipient.trim()} />}
    </section>
  );
}
