import { Alert, Button, Loader, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { calendarDay, count } from '../../../ground/words.ts';
import { useProof } from '../../../shared/proof/proof.ts';
import { inboxQuery, isKnown, type Inbox } from './inbox-api.ts';
import classes from './inbox.module.css';
import { LockScreen } from './lock-screen.tsx';
import { RowCard } from './row-card.tsx';

const LOGOS: Record<Inbox['logo']['result'], string> = {
  published: 'published, with an enforced DMARC policy',
  unenforced: 'published, but the DMARC policy is not enforced, so nobody shows it',
  none: 'none published',
  declined: 'the domain declares that it has none',
  invalid: 'the record cannot be used',
  unknown: 'not known',
};

function preheaderWords({ text, first_visible: body }: Inbox['preheader']): string {
  if (text !== '') return text;
  return body === '' ? 'none, and no text' : `none; inboxes show “${body}”`;
}

function preheaderNote({ text, is_padded: isPadded, first_visible: body }: Inbox['preheader']): string | undefined {
  if (text === '' || body === '') return undefined;
  return isPadded ? 'Invisible characters keep the body’s text out.' : 'Where there is room, the body’s text follows.';
}

/** What was read of the message before any list cuts it. */
function Read({ inbox }: { inbox: Inbox }) {
  const { sender, subject, preheader, logo } = inbox;
  const name = sender && (sender.name === '' ? sender.address : `${sender.name} <${sender.address}>`);
  const note = preheaderNote(preheader);
  const rows: [label: string, value: string][] = [
    ['Sender', name ?? 'The message names none'],
    ['Subject', subject || 'empty'],
    ['Preheader', preheaderWords(preheader)],
    ['BIMI logo', `${LOGOS[logo.result]}${logo.domain ? ` (${logo.domain})` : ''}`],
  ];
  return (
    <dl className={classes.read}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi dir="auto">{value}</bdi>
            {label === 'Preheader' && note && <span className={classes.aside}> {note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Hidden({ characters }: { characters: Inbox['hidden_characters'] }) {
  if (characters.length === 0) return null;
  const turns = characters.some((one) => one.turns_text);
  return (
    <Alert
      color={turns ? 'red' : 'yellow'}
      mb="md"
      title={turns ? 'Hidden characters turn the direction of text' : 'There are hidden characters'}
    >
      {characters
        .map(({ field, code_point: code, name, count: number }) => `${field}: ${name} (${code}) × ${number}`)
        .join('; ')}
      . They are left out below. {turns && 'Clients may show the text turned around.'}
    </Alert>
  );
}

function TrySender({ from, onTry, error }: { from: string; onTry: (from: string) => void; error: string | undefined }) {
  const [text, setText] = useState(from);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onTry(text.trim());
  };
  return (
    <form className={classes.try} onSubmit={submit}>
      <TextInput
        name="from"
        label="Try another sender"
        placeholder="Ann Brown <ann@example.com>"
        value={text}
        maxLength={1000}
        error={error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Show
      </Button>
    </form>
  );
}

function Rows({ inbox, isAll }: { inbox: Inbox; isAll: boolean }) {
  const wanted = inbox.rows.filter((row) => isAll || row.in_test);
  const known = wanted.filter(isKnown);
  const others = wanted.filter((row) => !isKnown(row));
  const phones = inbox.notifications.filter((one) => isAll || one.in_test);
  return (
    <>
      <section aria-label="Rows of the inbox">
        <h2 className={classes.heading}>In the list of messages</h2>
        {known.length === 0 && <p>Nothing is published about the lists of these clients.</p>}
        <div className={classes.cards}>
          {known.map((row) => (
            <RowCard key={row.id} row={row} logo={inbox.logo} />
          ))}
        </div>
        {others.length > 0 && (
          <p className={classes.others}>
            How much shows is not known of {count(others.length, 'client')}: {others.map(({ name }) => name).join(', ')}
            .
          </p>
        )}
      </section>
      <section aria-label="Lock screens">
        <h2 className={classes.heading}>On a locked phone</h2>
        {phones.length === 0 && <p>Nothing is published about the notifications of these clients.</p>}
        <div className={classes.cards}>
          {phones.map((one) => (
            <LockScreen key={one.id} one={one} />
          ))}
        </div>
      </section>
    </>
  );
}

/** The message before it is opened: rows of inboxes and lock screens. */
export function InboxPage() {
  const { testId = '' } = useProof();
  const [from, setFrom] = useState('');
  const [isAll, setAll] = useState(false);
  const own = useQuery(inboxQuery(testId, ''));
  const tried = useQuery({ ...inboxQuery(testId, from), enabled: from !== '' });
  const { error } = from === '' ? own : tried;
  const inbox = (from === '' ? undefined : tried.data) ?? own.data;
  if (!inbox)
    return error ? (
      <Alert color="red" title="The inbox could not be made">
        {sentenceOf(error)}
      </Alert>
    ) : (
      <Loader size="sm" aria-label="Loading" />
    );
  return (
    <>
      <p className={classes.lead}>
        Simulated: where each client cuts follows published figures, collected on {calendarDay(inbox.data_date)}; fonts
        and colors are ours.
      </p>
      <Hidden characters={inbox.hidden_characters} />
      <div className={classes.top}>
        <Read inbox={inbox} />
        <div>
          <TrySender from={from} onTry={setFrom} error={error ? sentenceOf(error) : undefined} />
          <Switch
            mt="sm"
            label="Also clients that are not in this test"
            checked={isAll}
            onChange={({ currentTarget }) => setAll(currentTarget.checked)}
          />
        </div>
      </div>
      <Rows inbox={inbox} isAll={isAll} />
    </>
  );
}
