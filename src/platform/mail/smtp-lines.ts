// A command ends with CRLF (RFC 5321 §2.3.8). The SMTP library takes a bare LF for the end as well, by which a message
// that another server passed on could be read as commands here. The end of a message it takes strictly already.

/** What the library keeps about the commands that it reads. */
interface CommandParser {
  _dataMode: boolean;
  isClosed: boolean;
  _write(chunk: Buffer, encoding: string, next: (error?: Error | null) => void): void;
}

interface Connection {
  _parser?: Partial<CommandParser> | false;
  _createParser?: () => Partial<CommandParser>;
  send(code: number, text: string): void;
}

const LF = 0x0a;
const CRLF = Buffer.from('\r\n');
/** As in the library. A longer line is reported and ends the connection. */
const LINE_BYTES_MAX = 16 * 1024;
/** How many commands of one packet are read before other connections get their turn. */
const LINES_AT_ONCE = 50;

/** Makes this connection refuse lines that hold a bare LF. A library that is built otherwise is left as it is. */
export function requireLineEnds(connection: object): void {
  const one = connection as Connection;
  const { _parser: parser, _createParser: create } = one;
  if (parser) readWholeLines(parser, one);
  if (typeof create !== 'function') return;
  // After STARTTLS there is another parser.
  one._createParser = () => {
    const next = create.call(connection);
    readWholeLines(next, one);
    return next;
  };
}

function isKnown(parser: Partial<CommandParser>): parser is CommandParser {
  return typeof parser._write === 'function' && '_dataMode' in parser;
}

function readWholeLines(parser: Partial<CommandParser>, connection: Connection): void {
  if (!isKnown(parser)) return;
  const write = parser._write.bind(parser);
  let held = Buffer.alloc(0);
  let lines = 0;
  const feed = (bytes: Buffer, next: (error?: Error | null) => void): void => {
    if (parser._dataMode || parser.isClosed) return write(bytes, 'buffer', next);
    const whole = held.length > 0 ? Buffer.concat([held, bytes]) : bytes;
    held = Buffer.alloc(0);
    const end = whole.indexOf(CRLF);
    if (end < 0 && whole.length <= LINE_BYTES_MAX) {
      held = Buffer.from(whole);
      return next();
    }
    const line = end < 0 ? whole : whole.subarray(0, end + CRLF.length);
    const rest = whole.subarray(line.length);
    const proceed = (error?: Error | null): void => {
      if (error || rest.length === 0) return next(error);
      lines += 1;
      if (lines % LINES_AT_ONCE === 0) setImmediate(() => feed(rest, next));
      else feed(rest, next);
    };
    if (end < 0 || !line.subarray(0, end).includes(LF)) return write(line, 'buffer', proceed);
    connection.send(500, '5.5.2 A command ends with CRLF; a line break alone does not end it');
    return proceed();
  };
  parser._write = (chunk, _encoding, next) => feed(chunk, next);
}
