// An IMAP server that says what the test wants: Gmail's extension, and everything that goes wrong at night.
import net from 'node:net';

export interface FakeFolder {
  path: string;
  flags: string;
  messages: { uid: number; headers: string; msgid?: string; labels?: string; tab?: string }[];
}

export interface FakeImap {
  port: number;
  /** Every command, without its tag. */
  commands: string[];
  close(): void;
}

export interface FakeImapOptions {
  folders?: FakeFolder[];
  capabilities?: string;
  greeting?: string | null;
  /** Takes over a command: the lines to send before and with the tag, `hang` or `drop`. */
  override?: (command: string, tag: string) => string | 'hang' | 'drop' | undefined;
}

const GMAIL = 'IMAP4rev1 UIDPLUS SPECIAL-USE MOVE X-GM-EXT-1';

export async function startFakeImap({
  folders = [],
  capabilities = GMAIL,
  greeting = '* OK ready',
  override,
}: FakeImapOptions): Promise<FakeImap> {
  const commands: string[] = [];
  const server = net.createServer((socket) => {
    let buffer = '';
    let selected: FakeFolder | undefined;
    socket.on('error', () => {});
    if (greeting !== null) socket.write(`${greeting}\r\n`);
    socket.on('data', (chunk) => {
      buffer += chunk.toString('latin1');
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(buffer.slice(0, end)) ?? [];
        buffer = buffer.slice(end + 2);
        commands.push(command);
        const answer =
          override?.(command, tag) ??
          reply(command, tag, { folders, capabilities, selected, select: (folder) => (selected = folder) });
        if (answer === 'drop') socket.destroy();
        else if (answer !== 'hang') socket.write(answer);
      }
    });
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as net.AddressInfo).port, commands, close: () => void server.close() };
}

interface State {
  folders: FakeFolder[];
  capabilities: string;
  selected: FakeFolder | undefined;
  select(folder: FakeFolder | undefined): void;
}

function reply(command: string, tag: string, state: State): string {
  const ok = `${tag} OK done\r\n`;
  const verb = command.replace(/^UID /, '').split(' ')[0];
  if (verb === 'CAPABILITY') return `* CAPABILITY ${state.capabilities}\r\n${ok}`;
  if (verb === 'LOGIN') return ok;
  if (verb === 'NAMESPACE') return `* NAMESPACE (("" "/")) NIL NIL\r\n${ok}`;
  if (verb === 'LIST' && command.includes('"*"'))
    return state.folders.map(({ path, flags }) => `* LIST (${flags}) "/" "${path}"\r\n`).join('') + ok;
  if (verb === 'LIST') return `* LIST (\\Noselect) "/" ""\r\n${ok}`;
  if (verb === 'EXAMINE' || verb === 'SELECT') {
    const path = /^\w+ "?([^"]*)"?/.exec(command)?.[1];
    const folder = state.folders.find((one) => one.path.toUpperCase() === path?.toUpperCase());
    state.select(folder);
    return folder
      ? `* FLAGS (\\Seen)\r\n* ${folder.messages.length} EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY 1]\r\n` +
          `* OK [UIDNEXT 100]\r\n${tag} OK [READ-ONLY] done\r\n`
      : `${tag} NO no such folder\r\n`;
  }
  if (verb === 'SEARCH') return `* SEARCH ${searched(command, state.selected).join(' ')}\r\n${ok}`;
  if (verb === 'FETCH') return fetched(state.selected) + ok;
  if (verb === 'MOVE') return moved(command, state) + ok;
  return verb === 'LOGOUT' ? `* BYE\r\n${ok}` : ok;
}

function searched(command: string, folder: FakeFolder | undefined): number[] {
  const tab = /X-GM-RAW "?category:(\w+)/.exec(command)?.[1];
  const [, header = '', value = ''] = /HEADER "?([\w-]+)"? "?([\w-]*)"?/.exec(command) ?? [];
  return (folder?.messages ?? [])
    .filter((message) =>
      tab
        ? message.tab === tab
        : message.headers.toLowerCase().includes(`${header.toLowerCase()}: ${value.toLowerCase()}`),
    )
    .map(({ uid }) => uid);
}

function fetched(folder: FakeFolder | undefined): string {
  return (folder?.messages ?? [])
    .map(({ uid, headers, msgid, labels = '' }, index) => {
      const block = `${headers}\r\n\r\n`;
      const gmail = msgid ? `X-GM-MSGID ${msgid} X-GM-LABELS (${labels}) ` : '';
      return (
        `* ${index + 1} FETCH (UID ${uid} ${gmail}FLAGS (\\Seen) INTERNALDATE "21-Nov-2026 10:00:00 +0100" ` +
        `BODY[HEADER] {${Buffer.byteLength(block)}}\r\n${block})\r\n`
      );
    })
    .join('');
}

function moved(command: string, { selected, folders }: State): string {
  const [, uids = '', path] = /^UID MOVE ([\d,]+) "?([^"]*)"?/.exec(command) ?? [];
  const wanted = new Set(uids.split(',').map(Number));
  const target = folders.find((one) => one.path === path);
  if (!selected || !target) return '';
  target.messages.push(...selected.messages.filter(({ uid }) => wanted.has(uid)));
  selected.messages = selected.messages.filter(({ uid }) => !wanted.has(uid));
  return '';
}
