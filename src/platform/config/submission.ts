// The settings of submission by SMTP.
import type { Setting } from './settings.ts';

/** Where programs log in and send; undefined: not at all. Without paths a certificate is made. */
export interface SubmissionConfig {
  port: number | undefined;
  tlsPort: number | undefined;
  certificatePath: string | undefined;
  keyPath: string | undefined;
  /** Where mail programs read inboxes of the sandbox. */
  pop3Port: number | undefined;
  /** Of one message that a program sends to an inbox of the sandbox. */
  sandboxBytesMax: number;
}

const PORT_MAX = 65_535;
const [MIB_MIN, MIB_MAX] = [25, 400];
const RANGE = `give a whole number from ${MIB_MIN} to ${MIB_MAX}.`;

/** A port, 0 for a free one, or `off`. */
export const portOrOff = (text: string) =>
  text === 'off' || (/^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX)
    ? undefined
    : `give a whole number from 0 to ${PORT_MAX}, or off.`;

export const SUBMISSION_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_SUBMISSION_PORT',
    default: '2587',
    about:
      'Port at which programs log in with SMTP credentials and send (STARTTLS). Passwords are taken on encrypted ' +
      'connections only, but where `GALLEY_HOST` is this machine itself. 0 takes a free one, `off` none.',
    check: portOrOff,
  },
  {
    name: 'GALLEY_SUBMISSION_TLS_PORT',
    default: '2465',
    about: 'The same with TLS from the first byte. 0 takes a free one, `off` none.',
    check: portOrOff,
  },
  {
    name: 'GALLEY_SUBMISSION_CERTIFICATE',
    default: '',
    about:
      'Path of the PEM file with the certificate of these ports and its chain; a renewed one is used within ten ' +
      'minutes. Unset: a certificate is made and kept in the data directory, which programs have to be told to trust.',
  },
  {
    name: 'GALLEY_SUBMISSION_KEY',
    default: '',
    about: 'Path of the PEM file with the key of that certificate.',
  },
  {
    name: 'GALLEY_POP3_PORT',
    default: 'off',
    about:
      'Port at which mail programs read inboxes of the sandbox by POP3 (STLS), with the login that programs send to them ' +
      'with, and the certificate of submission. Passwords are taken as at `GALLEY_SUBMISSION_PORT`. 0 takes a free one, ' +
      '`off` none.',
    check: portOrOff,
  },
  {
    name: 'GALLEY_SANDBOX_MESSAGE_MIB',
    default: '150',
    about:
      'Largest message that an inbox of the sandbox takes by SMTP, in MiB; 150 hold 100 MB of files. What is larger than ' +
      '25 waits in files below `GALLEY_DATA_DIR` until it is read. Sending takes 25, whatever stands here.',
    check: (text) => (/^\d{1,3}$/.test(text) && Number(text) >= MIB_MIN && Number(text) <= MIB_MAX ? undefined : RANGE),
  },
];

export function readSubmission(read: (name: string) => string | undefined): SubmissionConfig {
  const port = (name: string): number | undefined => (read(name) === 'off' ? undefined : Number(read(name)));
  return {
    port: port('GALLEY_SUBMISSION_PORT'),
    tlsPort: port('GALLEY_SUBMISSION_TLS_PORT'),
    certificatePath: read('GALLEY_SUBMISSION_CERTIFICATE'),
    keyPath: read('GALLEY_SUBMISSION_KEY'),
    pop3Port: port('GALLEY_POP3_PORT'),
    sandboxBytesMax: Number(read('GALLEY_SANDBOX_MESSAGE_MIB')) * 1024 * 1024,
  };
}
