import { FileButton, Button, SegmentedControl, Textarea } from '@mantine/core';
import { useState } from 'react';
import mailClasses from '../../../shared/mail/mail.module.css';
import type { Texts } from './templates-api.ts';
import classes from './templates.module.css';

const KINDS = { html: 'HTML', mjml: 'MJML' } as const;
type Kind = keyof typeof KINDS;

const FIRST_MJML = `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>Hello {{name}}</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;
const ABOUT = {
  html: 'Handlebars: {{name}}, {{#if}}, {{#each}}, {{#unless}}, {{#with}}.',
  mjml: 'MJML 4 with Handlebars, also between elements. It is compiled to HTML when it is saved.',
};
/** Bytes; what is larger is no template. */
const FILE_BYTES_MAX = 100 * 1024;

export interface TextProps {
  texts: Texts;
  set: (changes: Partial<Texts>) => void;
  errorOf: (field: 'template' | 'mjml') => string | undefined;
  isReadOnly: boolean;
}

const isMjml = (text: string): boolean => /^(?:\s|<!--[\s\S]*?-->|<\?[^>]*>)*<mjml[\s>]/i.test(text);

/** The text of a version, in HTML or in MJML; written, or taken from a file. */
export function TextField({ texts, set, errorOf, isReadOnly }: TextProps) {
  const [kind, setKind] = useState<Kind>(texts.mjml === '' ? 'html' : 'mjml');
  const [fault, setFault] = useState<string>();
  const text = kind === 'mjml' ? texts.mjml : texts.template;
  const write = (next: Kind, value: string): void => {
    setFault(undefined);
    set(next === 'mjml' ? { mjml: value } : { mjml: '', template: value });
  };
  const choose = (next: Kind): void => {
    setKind(next);
    // From MJML its HTML is at hand; from HTML there is no way back.
    write(next, next === 'mjml' ? FIRST_MJML : texts.template);
  };
  const take = async (file: File | null): Promise<void> => {
    if (!file) return;
    if (file.size > FILE_BYTES_MAX)
      return setFault(`${file.name} is larger than 100 KiB, the most that a template has.`);
    const read = await file.text();
    const next = file.name.toLowerCase().endsWith('.mjml') || isMjml(read) ? 'mjml' : 'html';
    setKind(next);
    write(next, read);
  };
  return (
    <>
      {!isReadOnly && (
        <div className={classes.kind}>
          <SegmentedControl
            aria-label="Written in"
            size="xs"
            data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
            value={kind}
            onChange={(value) => choose(value as Kind)}
          />
          <FileButton accept=".html,.htm,.hbs,.handlebars,.mjml" onChange={(file) => void take(file)}>
            {(props) => (
              <Button {...props} size="xs" variant="default">
                Take a file
              </Button>
            )}
          </FileButton>
        </div>
      )}
      <Textarea
        label={KINDS[kind]}
        name={kind === 'mjml' ? 'mjml' : 'template'}
        description={ABOUT[kind]}
        classNames={{ input: mailClasses.code }}
        spellCheck={false}
        value={text}
        readOnly={isReadOnly}
        error={fault ?? errorOf(kind === 'mjml' ? 'mjml' : 'template')}
        onChange={(event) => write(kind, event.currentTarget.value)}
      />
    </>
  );
}
