// What differs from one run of the tests to the next (ids, times, hosts) is replaced by values that stay.
import { createHash } from 'node:crypto';

/** The moment of each recording. */
const NOW_MS = Date.UTC(2026, 0, 15, 9, 30);
const HOUR_MS = 3_600_000;
/** Times of a run lie this close to its recording; others are facts of the fixtures and stay. */
const AROUND_MS = 400 * 24 * HOUR_MS;
/** Systems hand out ports from here on; tests listen on those. */
const RANDOM_PORT_MIN = 10_000;

const SERVICE = 'https://galley.example.com';

/** A UUID, the id of a key (two times eight digits), or any other id in hexadecimal digits. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8}-[0-9a-f]{8}(?![0-9a-f-])|[0-9a-f]{12,}/g;
const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g;
const MAIL_TIME = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d (?:GMT|UTC|[+-]\d{4})/g;
const UNIX_SECONDS = /(?<![\w.-])[12]\d{9}(?![\w-])/g;
const PLAIN_TIME = /\d{4}-\d\d-\d\d \d\d:\d\d(?!:)/g;
/** Keys and signatures of DKIM, which tests make anew. */
const KEY_MATERIAL = /(?<=\b(?:p|b|bh)=)[A-Za-z0-9+/]{40,}={0,2}/g;
const KEY_CHARACTERS = 20;
/** What stands for hosts of this machine. */
const HOSTS: readonly [RegExp, string][] = [
  [/https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?/g, 'https://www.example.com'],
  [/https?%3A%2F%2F(?:127\.0\.0\.1|localhost)(?:%3A\d+)?/g, 'https%3A%2F%2Fwww.example.com'],
  [/galley\.localhost/g, 'galley.example.com'],
  [/(?<![\w.-])(?:127\.0\.0\.1|localhost):\d+/g, 'www.example.com'],
  [/(?<![\w.-])127\.0\.0\.(\d+)(?![\w.-])/g, '192.0.2.$1'],
];
/** Fields that hold a secret. */
const SECRET_FIELD = /^(?:secret|password)$/;
/** How long the network took, in milliseconds. */
const MEASURED_MS_FIELD = /load_time_ms$/;
const MEASURED_MS = 120;

interface Recording {
  /** The operation's id; ids of the example follow from it. */
  operationId: string;
  recordedAtMs: number;
  /** Where the service was reached. */
  baseUrl: string;
}

/** Calls `visit` with every text and number, and with the name of the field that it stands in. */
function mapLeaves(value: unknown, visit: (leaf: unknown, field: string) => unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, visit, field));
  if (typeof value !== 'object' || value === null) return visit(value, field);
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [String(visit(name, '')), mapLeaves(held, visit, name)]),
  );
}

class Neutral {
  readonly #recording: Recording;
  readonly #ids = new Map<string, string>();

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  #isOfRun(ms: number): boolean {
    return Math.abs(ms - this.#recording.recordedAtMs) < AROUND_MS;
  }

  /** A stable id in place of a given one. It follows from the operation and the order of the ids. */
  #idFor(given: string): string {
    const known = this.#ids.get(given);
    if (known !== undefined) return known;
    const seed = `${this.#recording.operationId} ${this.#ids.size}`;
    const hex = createHash('sha512')
      .update(seed)
      .digest('hex')
      .repeat(Math.ceil(given.length / 128));
    let at = 0;
    const made = given.replaceAll(/[^-]/g, () => hex[at++] as string);
    const id = given.length === 36 ? `${made.slice(0, 14)}4${made.slice(15, 19)}8${made.slice(20)}` : made;
    this.#ids.set(given, id);
    return id;
  }

  /** Moves a past time to the moment of the recording, and a future one to as many whole hours after it. */
  #shifted(ms: number): number {
    return NOW_MS + Math.max(0, Math.round((ms - this.#recording.recordedAtMs) / HOUR_MS)) * HOUR_MS;
  }

  #time(written: string): string {
    const ms = Date.parse(/T\d\d:\d\d:[\d.]+$/.test(written) ? `${written}Z` : written);
    if (!this.#isOfRun(ms)) return written;
    const at = new Date(this.#shifted(ms));
    if (written.includes(',')) return at.toUTCString().replace('GMT', / ([^ ]+)$/.exec(written)?.[1] ?? 'GMT');
    const iso = at.toISOString().replace('.000', /\.\d+/.test(written) ? '.000' : '');
    return /\dZ$/.test(written) ? iso : iso.replace('Z', /[+-]\d\d:\d\d$/.test(written) ? '+00:00' : '');
  }

  #text(given: string): string {
    const placed = HOSTS.reduce(
      (text, [host, shown]) => text.replaceAll(host, shown),
      given.replaceAll(this.#recording.baseUrl, SERVICE),
    );
    return placed
      .replaceAll(ISO_TIME, (written) => this.#time(written))
      .replaceAll(MAIL_TIME, (written) => this.#time(written))
      .replaceAll(PLAIN_TIME, (written) =>
        this.#time(`${written.replace(' ', 'T')}:00`)
          .slice(0, 16)
          .replace('T', ' '),
      )
      .replaceAll(UNIX_SECONDS, (written) => String(this.#number(Number(written), '')))
      .replaceAll(KEY_MATERIAL, (key) => `${key.slice(0, KEY_CHARACTERS)}…`)
      .replaceAll(ID, (id) => this.#idFor(id));
  }

  #number(given: number, field: string): number {
    if (this.#isOfRun(given)) return this.#shifted(given);
    if (this.#isOfRun(given * 1000)) return this.#shifted(given * 1000) / 1000;
    if (field === 'port' && given >= RANDOM_PORT_MIN) return 993;
    if (field === 'delay_seconds') return 0.5;
    return MEASURED_MS_FIELD.test(field) && given > 0 ? MEASURED_MS : given;
  }

  map(value: unknown): unknown {
    return mapLeaves(value, (leaf, field) => {
      if (typeof leaf === 'number') return this.#number(leaf, field);
      if (typeof leaf !== 'string') return leaf;
      return SECRET_FIELD.test(field) && leaf ? `example-${field}` : this.#text(leaf);
    });
  }
}

/** The same values without anything of the run that they were recorded in. */
export function withoutTraces<Value>(value: Value, recording: Recording): Value {
  return new Neutral(recording).map(value) as Value;
}
