// What a process was doing when it was killed, for whoever goes on with it on the same machine.
export { adoptJournals, openJournal, type Journal, type LostJournal } from './journal.ts';
