import { Alert, Button, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { fieldOf, sentenceOf } from '../../../ground/api.ts';
import { tell } from '../../../ground/shell/ask.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { LivePreview } from './live-preview.tsx';
import { changeVersion, createVersion, writtenIn, type Place, type Texts, type Version } from './templates-api.ts';
import classes from './templates.module.css';
import { TextField, type TextProps } from './text-field.tsx';
import type { Sample } from './use-sample.ts';

const HEADERS = ['Subject', 'From', 'Reply-To'] as const;
/** As the service names them in what it says. */
const FIELDS = [
  'template',
  'mjml',
  'headers.subject',
  'headers.from',
  'headers.reply',
  'headers',
  'tag',
  'variables',
] as const;
const NEW: Texts = {
  template: '<p>Hello {{name}}</p>\n',
  mjml: '',
  comment: '',
  headers: { Subject: 'Hello {{name}}' },
};
const PLACEHOLDERS = { Subject: 'Welcome, {{name}}', From: 'Ann <ann@example.com>', 'Reply-To': 'help@example.com' };

interface EditorProps {
  place: Place;
  /** Undefined: the first one is written. */
  version: Version | undefined;
  sample: Sample;
  canWrite: boolean;
  onChanged?: (isChanged: boolean) => void;
}

const asText = ({ template, mjml, comment, headers }: Texts): string =>
  JSON.stringify([mjml === '' ? template : '', mjml, comment, HEADERS.map((name) => (headers[name] ?? '').trim())]);

function useSave(place: Place, version: Version | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ template, mjml, comment, headers }: Texts): Promise<void> => {
      const given = { ...writtenIn({ template, mjml }), comment, headers };
      if (version) await changeVersion(place, version.tag, given);
      else await createVersion(place, { ...given, tag: 'initial' });
    },
    onSuccess: async () => {
      tell({ message: version ? `The version ${version.tag} was saved.` : 'The first version was saved.' });
      await queries.invalidateQueries({ queryKey: ['template'] });
    },
  });
}

interface FieldsProps extends TextProps {
  errorOf: (field: (typeof FIELDS)[number]) => string | undefined;
}

function Fields({ texts, set, errorOf, isReadOnly }: FieldsProps) {
  return (
    <>
      {HEADERS.map((name) => (
        <TextInput
          key={name}
          label={name}
          name={name.toLowerCase()}
          placeholder={PLACEHOLDERS[name]}
          value={texts.headers[name] ?? ''}
          readOnly={isReadOnly}
          error={errorOf(name === 'Reply-To' ? 'headers.reply' : name === 'From' ? 'headers.from' : 'headers.subject')}
          onChange={(event) => set({ headers: { ...texts.headers, [name]: event.currentTarget.value } })}
        />
      ))}
      <TextField texts={texts} set={set} errorOf={errorOf} isReadOnly={isReadOnly} />
      <TextInput
        label="Comment"
        name="comment"
        description="Optional. What is special about this version."
        value={texts.comment}
        readOnly={isReadOnly}
        onChange={(event) => set({ comment: event.currentTarget.value })}
      />
    </>
  );
}

/** The texts of a version, the values that it is tried with, and what it looks like with them. */
export function VersionEditor({ place, version, sample, canWrite, onChanged }: EditorProps) {
  const [texts, setTexts] = useState<Texts>(version ?? NEW);
  const [fault, setFault] = useState<unknown>();
  const save = useSave(place, version);
  const isChanged = version === undefined || asText(texts) !== asText(version);
  useEffect(() => onChanged?.(isChanged), [isChanged, onChanged]);
  const error = save.error ?? fault;
  const field = error ? fieldOf(error, FIELDS) : undefined;
  const errorOf = (name: (typeof FIELDS)[number]): string | undefined =>
    field === name ? sentenceOf(error) : undefined;
  const submit = (event: FormEvent): void => (event.preventDefault(), save.mutate(texts));
  return (
    <form onSubmit={submit} noValidate className={classes.sides}>
      <section className={mailClasses.stack} aria-label="Texts">
        {error !== undefined && error !== null && (field === undefined || field === 'headers' || field === 'tag') && (
          <Alert color="red" title={save.error ? 'The version was not saved' : 'The template cannot be filled'}>
            {sentenceOf(error)}
          </Alert>
        )}
        <Fields
          texts={texts}
          set={(changes) => (save.reset(), setTexts((before) => ({ ...before, ...changes })))}
          errorOf={errorOf}
          isReadOnly={!canWrite}
        />
        {canWrite && (
          <Button
            type="submit"
            loading={save.isPending}
            disabled={!isChanged || (texts.template.trim() === '' && texts.mjml.trim() === '')}
          >
            {version ? 'Save the version' : 'Save the first version'}
          </Button>
        )}
      </section>
      <section className={mailClasses.stack} aria-label="Preview">
        <Textarea
          label="Sample data"
          name="sample"
          description="JSON with the values that the template is tried with. It is kept in this browser only."
          placeholder={'{ "name": "Ada" }'}
          autosize
          minRows={3}
          maxRows={14}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--font-mono)', fontSize: 12.5 } }}
          value={sample.text}
          error={sample.fault ?? errorOf('variables')}
          onChange={(event) => sample.setText(event.currentTarget.value)}
        />
        <LivePreview
          name={place.name}
          texts={texts}
          variables={sample.variables}
          canPreview={canWrite}
          onFault={setFault}
        />
      </section>
    </form>
  );
}
