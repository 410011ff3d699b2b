// Aggregate reports of DMARC (RFC 7489 appendix C, RFC 9990 appendix A), read as they stream: only rows are kept.
import { Parser } from 'htmlparser2';
import ipaddr from 'ipaddr.js';
import { domainIn, ReportRefusal, shortText } from './refusal.ts';
import type { AggregateReport, AggregateRow, PublishedPolicy } from './types.ts';

/** The deepest element of either schema is the sixth. */
const DEPTH_MAX = 24;
const RECORDS_MAX = 50_000;
const TEXT_LENGTH_MAX = 2000;
const RESULTS_MAX = 20;
const ERRORS_MAX = 20;
const PROBLEMS_MAX = 5;
const COUNT_MAX = 1e9;

const POLICY_FIELDS: Readonly<Record<string, keyof PublishedPolicy>> = {
  p: 'p',
  sp: 'sp',
  np: 'np',
  adkim: 'adkim',
  aspf: 'aspf',
  pct: 'pct',
  testing: 'testing',
  discovery_method: 'discoveryMethod',
  fo: 'fo',
};
const NEW_FIELDS = new Set(['np', 'testing', 'discovery_method']);

const blankRow = (): AggregateRow => ({
  sourceIp: '',
  count: 0,
  disposition: 'none',
  isDkimAligned: false,
  isSpfAligned: false,
  reasons: [],
  headerFrom: '',
  envelopeFrom: '',
  dkim: [],
  spf: [],
});

/** Takes the text of a file piece by piece; `end` answers the report. Both throw {@link ReportRefusal}. */
export class AggregateReader {
  #parser: Parser;
  #path: string[] = [];
  #text = '';
  #hasEnded = false;
  /** Nothing came since the last element was opened. */
  #isFresh = false;
  #begin = '';
  #end = '';
  #version = '';
  #row = blankRow();
  #reason = { type: '', comment: '' };
  #dkim = { domain: '', selector: '', result: '' };
  #spf = { domain: '', scope: '', result: '' };
  #rows = new Map<string, AggregateRow>();
  #report: Omit<AggregateReport, 'rows' | 'begin' | 'end'> = {
    kind: 'aggregate',
    schema: 'rfc7489',
    organization: '',
    email: '',
    reportId: '',
    generator: '',
    errors: [],
    policy: {
      domain: '',
      p: '',
      sp: '',
      np: '',
      adkim: '',
      aspf: '',
      pct: '',
      testing: '',
      discoveryMethod: '',
      fo: '',
    },
    messages: 0,
    records: 0,
    problems: [],
  };

  constructor() {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(localName(name), attributes),
        onclosetag: (name, isImplied) => this.#close(localName(name), isImplied),
        ontext: (text) => {
          this.#isFresh = false;
          if (this.#text.length < TEXT_LENGTH_MAX) this.#text += text.slice(0, TEXT_LENGTH_MAX);
        },
        onprocessinginstruction: (name) => {
          if (name.startsWith('!'))
            throw new ReportRefusal('It declares a document type. Reports have none, and entities are not expanded.');
        },
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): AggregateReport {
    this.#parser.end();
    if (!this.#hasEnded) throw new ReportRefusal('It is no whole DMARC report: the element feedback does not end.');
    const report = this.#report;
    if (report.policy.domain === '') throw new ReportRefusal('It names no domain in policy_published.');
    if (report.reportId === '' && report.organization === '')
      throw new ReportRefusal('It names neither an organization nor a report id.');
    const begin = secondsIn(this.#begin);
    const end = secondsIn(this.#end);
    if (begin === undefined || end === undefined || end < begin)
      throw new ReportRefusal('date_range names no time: begin and end must be seconds since 1970, in this order.');
    if (this.#version.startsWith('2')) report.schema = 'rfc9990';
    return { ...report, begin, end, rows: [...this.#rows.values()] };
  }

  #open(name: string, attributes: Record<string, string>): void {
    // Some reporters put the whole of it into the element schema.
    if (this.#path.length === 0 && name === 'schema') return;
    if (this.#path.length === 0 && name !== 'feedback')
      throw new ReportRefusal(`Its first element is ${shortText(name, 40)}; that of a DMARC report is feedback.`);
    if (this.#hasEnded) throw new ReportRefusal('It holds more than one report.');
    this.#path.push(name);
    if (this.#path.length > DEPTH_MAX)
      throw new ReportRefusal(`Its elements are nested more than ${DEPTH_MAX} deep; those of a report are six.`);
    if (Object.values(attributes).some((value) => value.includes('dmarc-2.0'))) this.#report.schema = 'rfc9990';
    this.#text = '';
    this.#isFresh = true;
  }

  #close(name: string, isImplied: boolean): void {
    if (this.#path.length === 0) return;
    const path = this.#path.slice(1).join('/');
    const value = shortText(this.#text);
    this.#text = '';
    this.#path.pop();
    // The parser says the same of <a/>.
    if (isImplied && !this.#isFresh) this.#note(`The element ${shortText(name, 40)} is not closed.`);
    this.#isFresh = false;
    if (this.#path.length === 0) this.#hasEnded = !isImplied;
    if (path.startsWith('report_metadata/')) this.#metadata(path.slice(16), value);
    else if (path === 'version') this.#version = value;
    else if (path.startsWith('policy_published/')) this.#policy(path.slice(17), value);
    else if (path === 'record') this.#record();
    else if (path.startsWith('record/')) this.#ofRecord(path.slice(7), value);
  }

  #note(problem: string): void {
    if (this.#report.problems.length < PROBLEMS_MAX) this.#report.problems.push(problem);
  }

  #metadata(path: string, value: string): void {
    const report = this.#report;
    if (path === 'org_name') report.organization = value;
    else if (path === 'email') report.email = value;
    else if (path === 'report_id') report.reportId = value;
    else if (path === 'generator') report.generator = value;
    else if (path === 'date_range/begin') this.#begin = value;
    else if (path === 'date_range/end') this.#end = value;
    else if (path === 'error' && value !== '' && report.errors.length < ERRORS_MAX) report.errors.push(value);
  }

  #policy(name: string, value: string): void {
    const { policy } = this.#report;
    if (name === 'domain') policy.domain = domainIn(value);
    else if (Object.hasOwn(POLICY_FIELDS, name)) policy[POLICY_FIELDS[name]!] = value.toLowerCase().slice(0, 20);
    if (NEW_FIELDS.has(name)) this.#report.schema = 'rfc9990';
  }

  #ofRecord(path: string, value: string): void {
    const row = this.#row;
    const word = value.toLowerCase();
    if (path === 'row/source_ip') row.sourceIp = addressIn(value);
    else if (path === 'row/count') row.count = countIn(value);
    else if (path === 'row/policy_evaluated/disposition')
      row.disposition = word === 'quarantine' || word === 'reject' ? word : 'none';
    else if (path === 'row/policy_evaluated/dkim') row.isDkimAligned = word === 'pass';
    else if (path === 'row/policy_evaluated/spf') row.isSpfAligned = word === 'pass';
    else if (path.startsWith('row/policy_evaluated/reason')) this.#ofReason(path.slice(27), value);
    else if (path === 'identifiers/header_from') row.headerFrom = domainIn(value);
    else if (path === 'identifiers/envelope_from') row.envelopeFrom = domainIn(value);
    else if (path.startsWith('auth_results/')) this.#ofResults(path.slice(13), value);
  }

  #ofReason(part: string, value: string): void {
    if (part === '/type') this.#reason.type = value.toLowerCase();
    else if (part === '/comment') this.#reason.comment = value;
    else if (part === '') {
      if (this.#reason.type !== '' && this.#row.reasons.length < RESULTS_MAX) this.#row.reasons.push(this.#reason);
      this.#reason = { type: '', comment: '' };
    }
  }

  #ofResults(part: string, value: string): void {
    const word = value.toLowerCase();
    if (part === 'dkim/domain') this.#dkim.domain = domainIn(value);
    else if (part === 'dkim/selector') this.#dkim.selector = value;
    else if (part === 'dkim/result') this.#dkim.result = word;
    else if (part === 'dkim') {
      if (this.#dkim.domain !== '' && this.#row.dkim.length < RESULTS_MAX) this.#row.dkim.push(this.#dkim);
      this.#dkim = { domain: '', selector: '', result: '' };
    } else if (part === 'spf/domain') this.#spf.domain = domainIn(value);
    else if (part === 'spf/scope') this.#spf.scope = word;
    else if (part === 'spf/result') this.#spf.result = word;
    else if (part === 'spf') {
      if (this.#spf.domain !== '' && this.#row.spf.length < RESULTS_MAX) this.#row.spf.push(this.#spf);
      this.#spf = { domain: '', scope: '', result: '' };
    }
  }

  #record(): void {
    const row = this.#row;
    const report = this.#report;
    this.#row = blankRow();
    report.records += 1;
    if (report.records > RECORDS_MAX)
      throw new ReportRefusal(`It has more than ${RECORDS_MAX} records, which is as many as are read.`);
    if (row.sourceIp === '' || row.count === 0) {
      this.#note(`Record ${report.records} is not counted: it has no ${row.sourceIp === '' ? 'source_ip' : 'count'}.`);
      return;
    }
    report.messages += row.count;
    const key = JSON.stringify({ ...row, count: 0 });
    const same = this.#rows.get(key);
    if (same) same.count += row.count;
    else this.#rows.set(key, row);
  }
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

function secondsIn(value: string): number | undefined {
  // Some reporters write a fraction, some the time as ISO 8601.
  const seconds = /^\d{1,11}(\.\d+)?$/.test(value) ? Math.floor(Number(value)) : Math.floor(Date.parse(value) / 1000);
  return Number.isSafeInteger(seconds) && seconds >= 0 && seconds < 1e11 ? seconds : undefined;
}

function countIn(value: string): number {
  return /^\d{1,10}$/.test(value) ? Math.min(Number(value), COUNT_MAX) : 0;
}

function addressIn(value: string): string {
  return ipaddr.isValid(value) && /[.:].*[.:]/.test(value) ? ipaddr.process(value).toString() : '';
}
