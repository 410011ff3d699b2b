// What the address of the findings page remembers: its filters.
import { CHECK_NAMES, type CheckName } from '../../ground/checks.ts';
import type { Severity } from '../report/report-api.ts';

export interface FindingsSearch {
  severity?: Severity;
  check?: CheckName;
  /** A family such as `Gmail`, or a client. */
  client?: string;
}

const SEVERITIES = ['error', 'warning', 'info', 'pass'];

export function readFindingsSearch({ severity, check, client }: Record<string, unknown>): FindingsSearch {
  return {
    ...(SEVERITIES.includes(severity as string) && { severity: severity as Severity }),
    ...(CHECK_NAMES.includes(check as CheckName) && { check: check as CheckName }),
    ...(typeof client === 'string' && client !== '' && { client }),
  };
}
