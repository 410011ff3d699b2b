// The API reference: one page that this process makes from the OpenAPI document. It has no script, and loads nothing
// from other sites.
import {
  curlOf,
  operationsOf,
  type OpenApiDocument,
  type Operation,
  type Response,
  type Schema,
} from '../platform/http/index.ts';
import { INTRODUCTION } from './introduction.ts';

export const REFERENCE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Words between back quotes are code. */
function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function typeOf(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  return [schema.type ?? 'anything'].flat().join(' or ');
}

/** What may be null stands one level deeper. */
function aboutOf({ description, anyOf = [], oneOf = [] }: Schema): string {
  return description ?? [...anyOf, ...oneOf].find((one) => one.description !== undefined)?.description ?? '';
}

interface Field {
  name: string;
  place: string;
  isRequired: boolean;
  schema: Schema;
}

function fieldsOf({ parameters = [], requestBody }: Operation): Field[] {
  const body = (requestBody?.content['application/json'] ?? requestBody?.content['multipart/form-data'])?.schema;
  return [
    ...parameters.map(({ name, in: place, required = false, description, schema = {} }) => ({
      name,
      place,
      isRequired: required,
      schema: { ...schema, ...(description && { description }) },
    })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
      name,
      place: 'body',
      isRequired: body?.required?.includes(name) ?? false,
      schema,
    })),
  ];
}

function fieldRow({ name, place, isRequired, schema }: Field): string {
  const notes = [
    isRequired ? 'required' : '',
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join(', ');
  return (
    `<tr><th scope="row"><code>${escape(name)}</code></th><td>${escape(place)}</td><td>` +
    `${escape(typeOf(schema))}${notes ? `<br><small>${escape(notes)}</small>` : ''}</td><td>` +
    `${prose(aboutOf(schema))}</td></tr>`
  );
}

interface Place {
  document: OpenApiDocument;
  baseUrl: string;
}

/** What an answer says of itself, also where it stands among the components. */
function descriptionOf({ $ref = '', description }: Response, { components }: OpenApiDocument): string {
  return description ?? components?.responses[$ref.slice($ref.lastIndexOf('/') + 1)]?.description ?? '';
}

/** What a test was answered; folded, since it is long. */
function replyPart({ method, path, operation }: { method: string; path: string; operation: Operation }): string {
  const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
  const example = success?.content?.['application/json']?.example;
  if (example === undefined) return '';
  return (
    `<details class="reply"><summary>Sample reply</summary><pre tabindex="0" aria-label="Sample reply: ${method} ` +
    `${escape(path)}">${escape(JSON.stringify(example, null, 2))}</pre></details>`
  );
}

function operationPart(
  { method, path, operation }: { method: string; path: string; operation: Operation },
  { document, baseUrl }: Place,
): string {
  const fields = fieldsOf(operation);
  const answers = Object.entries(operation.responses ?? {}).map(
    ([status, answer]) => `<li><strong>${escape(status)}</strong> ${prose(descriptionOf(answer, document))}</li>`,
  );
  return `<section id="${escape(operation.operationId ?? '')}">
<h3><span class="method">${method}</span> <code>${escape(path)}</code>${operation.deprecated ? ' <small>deprecated</small>' : ''}</h3>
<p>${prose(operation.summary ?? '')}</p>
${operation.description ? `<p>${prose(operation.description)}</p>` : ''}
${
  fields.length
    ? `<div class="wide" tabindex="0" role="region" aria-label="Fields of ${method} ` +
      `${escape(path)}"><table><thead><tr>` +
      '<th scope="col">Field</th><th scope="col">In</th><th scope="col">Type</th>' +
      '<th scope="col">About</th></tr></thead>' +
      `<tbody>${fields.map(fieldRow).join('')}</tbody></table></div>`
    : ''
}
<pre tabindex="0" aria-label="Sample request: ${method} ${escape(path)}">${escape(curlOf({ method, path, operation, baseUrl }))}</pre>
${replyPart({ method, path, operation })}
<ul class="answers">${answers.join('')}</ul>
</section>`;
}

/** The page as HTML. `baseUrl` is where its reader reached it. */
export function referencePage(document: OpenApiDocument, baseUrl: string): string {
  const groups = Map.groupBy(operationsOf(document), ({ operation }) => operation.tags?.[0] ?? 'Other');
  const anchor = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
  const { title, version, description = '' } = document.info;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} API reference</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<header><h1>${escape(title)} API <small>${escape(version)}</small></h1>
<p>${prose(description)} The same as a document for programs: <a href="/openapi.json">/openapi.json</a>. Samples take your key from the environment: <code>export GALLEY_API_KEY=…</code></p></header>
<nav aria-label="Operations">${[...groups]
    .map(
      ([tag, operations]) =>
        `<details><summary>${escape(tag)}</summary><ul><li><a href="#${anchor(tag)}">All of ${escape(tag)}</a></li>` +
        `${operations
          .map(
            ({ method, path, operation }) =>
              `<li><a href="#${escape(operation.operationId ?? '')}"><span class="method">${method}</span>` +
              ` ${escape(path)}</a></li>`,
          )
          .join('')}` +
        '</ul></details>',
    )
    .join('')}</nav>
<main>
${INTRODUCTION.map(({ title: heading, paragraphs }) => `<h2>${escape(heading)}</h2>\n${paragraphs.map((text) => `<p>${prose(text)}</p>`).join('\n')}`).join('\n')}
${[...groups]
  .map(
    ([tag, operations]) =>
      `<h2 id="${anchor(tag)}">${escape(tag)}</h2>\n` +
      `${operations.map((one) => operationPart(one, { document, baseUrl })).join('\n')}`,
  )
  .join('\n')}
</main>
</body>
</html>
`;
}

export const REFERENCE_STYLES = `:root { color-scheme: light dark; --paper: #faf8f3; --ink: #1d1b18; --dim: #5f5a50; --rule: #c9c3b5; --sheet: #fffefb; --red: #98240d; }
@media (prefers-color-scheme: dark) { :root { --paper: #171614; --ink: #efebe2; --dim: #a8a194; --rule: #4a453c; --sheet: #201e1b; --red: #f4b6a5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 24px 20px 80px; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2 { font-family: Georgia, serif; font-weight: 600; line-height: 1.2; }
h1 small, small { color: var(--dim); font-size: 13px; font-weight: 400; }
h2 { margin: 48px 0 8px; border-bottom: 1px solid var(--rule); padding-bottom: 6px; }
h3 { margin: 34px 0 4px; font-size: 16px; }
a { color: inherit; text-underline-offset: 2px; }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
.method { color: var(--red); font: 600 12px/1 ui-monospace, monospace; }
nav { columns: 2 320px; margin: 20px 0; }
nav details { break-inside: avoid; }
nav summary { padding: 4px 0; }
nav ul, .answers { margin: 0; padding-left: 18px; color: var(--dim); font-size: 14px; }
nav li { padding: 3px 0; }
pre { margin: 12px 0; padding: 12px 14px; border: 1px solid var(--rule); border-radius: 3px; background: var(--sheet); overflow-x: auto; user-select: all; }
.reply { margin: 0 0 10px; }
.reply summary { padding: 4px 0; color: var(--dim); font-size: 14px; }
.wide { overflow-x: auto; }
table { width: 100%; min-width: 560px; border-collapse: collapse; font-size: 14px; }
th, td { padding: 6px 10px 6px 0; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; font-weight: 400; }
td:nth-child(2), tbody th { white-space: nowrap; overflow-wrap: normal; }
thead th { color: var(--dim); font-size: 13px; }
`;
