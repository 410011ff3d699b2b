// Structured logs, one JSON object per line on standard error, secrets left out.
import { pino, type Logger } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

const SECRETS = ['authorization', 'cookie', 'password', 'secret', 'apiKey', 'key'];

/** A logger at the given level (`silent` logs nothing). */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: SECRETS.flatMap((name) => [name, `*.${name}`, `req.headers.${name}`, `headers.${name}`]),
        censor: '[left out]',
      },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
