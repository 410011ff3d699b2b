import { Type, type TSchema } from 'typebox';
import { NAME_LENGTH_MAX } from '../../../engines/html/index.ts';

export const HTML_BYTES_MAX = 5 * 1024 * 1024;
/** A message with its attachments, base64 inside JSON. */
export const BODY_BYTES_MAX = 72 * 1024 * 1024;

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const Line = Type.Optional(Nullable(Type.String({ maxLength: 300 })));

/** The fields by which a request gives an email: exactly one of `html`, `url`, `mime` and `template`. */
export const sourceFields = {
  html: Type.Optional(Nullable(Type.String({ contentMediaType: 'text/html' }))),
  url: Type.Optional(Nullable(Type.String({ maxLength: 8000 }))),
  mime: Type.Optional(
    Nullable(Type.String({ contentMediaType: 'message/rfc822', description: 'A whole message, as it would be sent.' })),
  ),
  template: Type.Optional(
    Nullable(
      Type.Object(
        { name: Type.String({ minLength: 1, maxLength: 300 }), version: Line, domain: Line },
        {
          title: 'TemplateSource',
          additionalProperties: false,
          description:
            'A stored template by its name, filled with `data` as a message is. `version` is the tag of a version; ' +
            'without it the active one. With `domain`, templates of this sending domain go before those of the account.',
        },
      ),
    ),
  ),
  transfer_encoding: Type.Optional(Nullable(Type.Enum(['base64', 'quoted-printable', '7bit', '8bit']))),
  charset: Type.Optional(
    Nullable(Type.String({ description: 'Charset of the decoded source; default utf-8.', maxLength: 100 })),
  ),
  name: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 1000,
        description: 'The name of a message without subject and title, such as its file name.',
      }),
    ),
  ),
  data: Type.Optional(
    Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Values for merge tags, filled in first: `{{x}}` with `if` and `each`, `*|x|*`, `%%x%%`, `[[x]]`, `{$x}`, ' +
          '`%recipient.x%` and others. A tag without a value stays.',
      }),
    ),
  ),
};

/** What a test is to be called; spaces, control characters and characters without a width alone are no name. */
export const NewName = Type.Object(
  {
    name: Type.String({
      maxLength: NAME_LENGTH_MAX,
      pattern: '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f]',
      description: 'Must contain at least one visible character.',
    }),
  },
  { additionalProperties: false },
);

export const SourceBody = Type.Object(sourceFields);
