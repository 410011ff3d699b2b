// A review as one file of HTML, with its pictures in it: for those who keep it or print it. Pure functions.
import type { ReviewView, ThreadView } from './contract.ts';

export interface ReportPicture {
  client: string;
  name: string;
  /** WebP; undefined: there is none. */
  bytes: Buffer | undefined;
}

interface ReportParts {
  name: string;
  at: Date;
  review: ReviewView;
  /** Whether the version is ready, by what was looked at. */
  overview: { summary: string; checklist: readonly { title: string; verdict: string; reason: string }[] };
  pictures: readonly ReportPicture[];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const text = (given: string): string => given.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign]!);
const minute = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

const STATES = {
  none: 'Not reviewed',
  open: 'In review',
  approved: 'Approved',
  changes_requested: 'Changes requested',
} as const;
const DECISIONS = { approved: 'approves', changes_requested: 'requests changes' } as const;

const STYLE = `*{box-sizing:border-box}body{margin:0 auto;max-width:960px;padding:32px;color:#1d1b18;background:#fff;
font:15px/1.5 system-ui,sans-serif}h1{font:600 28px/1.2 Georgia,serif;margin:0 0 4px}h2{font-size:17px;margin:28px 0 8px;
border-bottom:1px solid #dcd7cb;padding-bottom:4px}h3{font-size:15px;margin:0 0 6px}p{margin:0 0 8px}small{color:#645f55}
table{width:100%;border-collapse:collapse}td{padding:5px 8px 5px 0;vertical-align:top;border-bottom:1px solid #efece4}
.said{display:flex;gap:24px;align-items:flex-start;margin:0 0 24px;break-inside:avoid}.said>div:last-child{flex:1;min-width:0}
.picture{position:relative;flex:none;width:320px;border:1px solid #dcd7cb}.picture img{display:block;width:100%}
b.pin{position:absolute;transform:translate(-50%,-50%)}b.pin,b.number{display:inline-grid;place-items:center;width:22px;
height:22px;border-radius:50%;background:#b02a10;color:#fff;font-size:12px;print-color-adjust:exact}ol,ul{margin:0;
padding:0;list-style:none}li{margin:0 0 10px;overflow-wrap:anywhere}.reply{margin:4px 0 0 28px}.grid{display:grid;gap:14px;
grid-template-columns:repeat(auto-fill,minmax(150px,1fr))}.grid figure{margin:0;break-inside:avoid}.grid img{width:100%;
border:1px solid #dcd7cb}figcaption{font-size:12px}`;

const imageOf = ({ bytes, name }: ReportPicture): string =>
  bytes
    ? `<img src="data:image/webp;base64,${bytes.toString('base64')}" alt="The email in ${text(name)}">`
    : '<small>no picture</small>';

function threadItem(thread: ThreadView, number: number | undefined): string {
  const { text: said, author, created_at: at, resolved, replies } = thread;
  const pin = number === undefined ? '' : `<b class="number">${number}</b> `;
  const lines = replies.map(
    (one) =>
      `<p class="reply"><strong>${text(one.author.name)}</strong> <small>${minute(one.created_at)}</small><br>` +
      `${text(one.text)}</p>`,
  );
  const state = resolved ? ` <small>resolved by ${text(resolved.by)}</small>` : '';
  return (
    `<li>${pin}<strong>${text(author.name)}</strong> <small>${minute(at)}</small>${state}<br>${text(said)}` +
    `${lines.join('')}</li>`
  );
}

const percent = (share: number | null): string => `${Math.round((share ?? 0) * 10_000) / 100}%`;

function pictureSection(picture: ReportPicture, threads: readonly ThreadView[]): string {
  const pinned = threads.filter(({ x }) => x !== null);
  const pins = pinned.map(
    ({ x, y }, place) => `<b class="pin" style="left:${percent(x)};top:${percent(y)}">${place + 1}</b>`,
  );
  const items = threads.map((one) => threadItem(one, one.x === null ? undefined : pinned.indexOf(one) + 1));
  return (
    `<div class="said"><div class="picture">${imageOf(picture)}${pins.join('')}</div><div><h3>${text(picture.name)}</h3>` +
    `<ol>${items.join('')}</ol></div></div>`
  );
}

function section(title: string, content: string): string {
  return content === '' ? '' : `<h2>${text(title)}</h2>${content}`;
}

/** A whole document without scripts, and without anything from elsewhere. */
export function writeReport({ name, at, review, overview, pictures }: ReportParts): string {
  const { version, subject, state, verdicts, threads, open_threads: open } = review;
  const isShown = (client: string | null): boolean => pictures.some((one) => one.client === client);
  const commented = pictures.filter(({ client }) => threads.some((one) => one.client === client));
  const others = threads.filter(({ client }) => !isShown(client));
  const decided = verdicts.map(
    ({ author, decision, note, decided_at: when }) =>
      `<li><strong>${text(author.name)}</strong> ${DECISIONS[decision]} <small>${minute(when)}</small>` +
      `${note === '' ? '' : `<br>${text(note)}`}</li>`,
  );
  const rows = overview.checklist.map(
    ({ title, verdict, reason }) =>
      `<tr><td>${text(title)}</td><td>${text(verdict.replace('_', ' '))}</td><td>${text(reason)}</td></tr>`,
  );
  const figures = pictures.map((one) => `<figure>${imageOf(one)}<figcaption>${text(one.name)}</figcaption></figure>`);
  const list = (items: readonly string[]): string => (items.length === 0 ? '' : `<ul>${items.join('')}</ul>`);
  return (
    '<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" ' +
    `content="width=device-width"><title>Review of ${text(name)}, version ${version}</title><style>${STYLE}</style>` +
    `</head><body><h1>${text(name)}</h1><p>Version ${version}${subject === '' ? '' : `, “${text(subject)}”`}. ` +
    `<strong>${STATES[state]}</strong>, ${open} open ${open === 1 ? 'comment' : 'comments'}. ` +
    `<small>As of ${minute(at.toISOString())}, by Galley</small></p>` +
    section('Verdicts', list(decided)) +
    section('What tests say', `<p>${text(overview.summary)}</p><table>${rows.join('')}</table>`) +
    section(
      'Comments on pictures',
      commented
        .map((one) =>
          pictureSection(
            one,
            threads.filter(({ client }) => client === one.client),
          ),
        )
        .join(''),
    ) +
    section('Comments on the version', list(others.map((one) => threadItem(one, undefined)))) +
    section('Pictures', figures.length === 0 ? '' : `<div class="grid">${figures.join('')}</div>`) +
    '</body></html>\n'
  );
}
