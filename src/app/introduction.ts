// What to know before the first call: stands before the reference at /docs, and in docs/api.md.

import { SETTINGS } from '../platform/config/index.ts';

interface Section {
  title: string;
  /** Words between back quotes are code. */
  paragraphs: readonly string[];
}

/** What a setting is where the operator has set nothing, such as `60,000`. */
function defaultOf(name: string): string {
  const setting = SETTINGS.find((one) => one.name === name);
  if (!setting) throw new Error(`There is no setting ${name}.`);
  return Number(setting.default).toLocaleString('en-US');
}

export const INTRODUCTION: readonly Section[] = [
  {
    title: 'Authentication',
    paragraphs: [
      'HTTP Basic: the user is `api`, the password is an API key. `POST /v1/keys` makes keys; a secret is shown ' +
        'once. The role of a key decides what it can do.',
      'A key acts for its own account. To act for a subaccount, name it in the header `X-Service-Account-Id`.',
      'Without a key, an unknown one or an expired one, the answer is 401; where the role does not suffice, or ' +
        'the account is foreign, 403.',
    ],
  },
  {
    title: 'Regions',
    paragraphs: [
      'A deployment serves one region. `servers` in the OpenAPI document lists the address of each region, where ' +
        'the operator has set them (`GALLEY_REGION_URLS`).',
      'An account and its domains are in one region. Where a deployment knows the account and the address of its ' +
        'region, a call at the other region is a 404 that names that address.',
    ],
  },
  {
    title: 'Requests',
    paragraphs: [
      'Bodies are JSON in UTF-8. Where the reference says so, they may be forms, urlencoded or ' +
        'multipart; files are multipart.',
      'Fields with a default are optional. A query parameter that a DELETE does not know is a ' +
        '400, and nothing is deleted.',
      'Long operations answer at once and continue: ask again after the seconds that `Retry-After` names.',
    ],
  },
  {
    title: 'Paging',
    paragraphs: [
      'Lists are newest first unless they say otherwise. Most take `limit` and `skip`; placement lists take ' +
        '`limit` and `offset`, or a `cursor`; lists of preview tests `results` or `limit`, and `page`.',
      'Where an answer holds `paging`, its addresses lead to the next and previous pages; follow them instead ' +
        'of computing offsets.',
    ],
  },
  {
    title: 'Errors',
    paragraphs: [
      'Every error has a `message` that names the field and what is valid. Groups of operations add fields of ' +
        'their own: `error.name` and `Reason` in email previews, `errors` in accessibility tests.',
      'The header `X-Request-Id` of every answer finds the request in the log of the service.',
      '503 and 507 are temporary: send the same request again after `Retry-After`.',
      'Deprecated operations answer with `Deprecation` and, in `Link`, the operation to use instead.',
    ],
  },
  {
    title: 'Retention',
    paragraphs: [
      `Preview tests and their pictures are deleted after ${defaultOf('GALLEY_PREVIEW_RETENTION_DAYS')} days, or what ` +
        '`GALLEY_PREVIEW_RETENTION_DAYS` says; `expires_at` of a test says when. Code analyses, link, ' +
        'image, accessibility and spam tests and gates are deleted after 90 days.',
      'What you delete yourself is deleted at once and cannot be restored.',
    ],
  },
  {
    title: 'Rate limits',
    paragraphs: [
      `A key may send ${defaultOf('GALLEY_KEY_REQUESTS_PER_MINUTE')} requests within a minute, an account ` +
        `${defaultOf('GALLEY_ACCOUNT_REQUESTS_PER_MINUTE')}; the operator may have set others. ` +
        'Further requests get a 429 with `Retry-After`, in seconds.',
      'What an account can have at once, such as inspections in processing, is limited too; more is also a 429.',
      'Too many wrong keys from one address get a 429, except for keys that were accepted from there before.',
    ],
  },
];

/** The introduction as Markdown. */
export function introductionText(): string {
  return INTRODUCTION.map(({ title, paragraphs }) => `## ${title}\n\n${paragraphs.join('\n\n')}\n`).join('\n');
}
