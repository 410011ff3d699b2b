// The list of all kinds of inspections that others name.
import type { Finding } from '../../../engines/findings/index.ts';
import { hasUnanswered, picturesBeside, withoutNetwork } from '../../../engines/gate/index.ts';
import { addTo, defineList, type Addition } from '../../../platform/ports/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { hasNetwork } from '../../../platform/network/index.ts';
import type { StoredSource } from '../_message/index.ts';
import type { InspectionMachine } from './machine.ts';
import type { CheckDoors, Checked, GatedEmail, GateTurn, Listing } from './listing.ts';

/** An email, with the subject that it is to be sent with. */
type CheckedEmail = StoredSource & { subject: string };

export interface ListedKind extends Listing {
  kind: string;
  noun: string;
  machine: Pick<InspectionMachine<CheckedEmail, unknown, never>, 'start' | 'remove'>;
  /** The check alone, as gates run it. */
  runInGate(outside: CheckDoors, email: GatedEmail, turn: GateTurn): Promise<Checked>;
}

/** Every kind that others name, in the order of the features. */
export const inspectionKinds = defineList<ListedKind>('inspections.kinds');

/** The email where its pictures lie. */
export function pictured({ source, beside }: GatedEmail): StoredSource {
  return beside ? { ...source, url: beside.baseUrl } : source;
}

/** The findings, as they apply to pictures that lie in the folder of the message's file. */
export function toldBeside(findings: readonly Finding[], { beside }: GatedEmail): readonly Finding[] {
  return beside ? picturesBeside(findings, beside.has) : findings;
}

/** The findings, in which hosts without an answer count as unknown if this machine has no network. */
export async function knownOnly(
  { config }: Pick<Outside, 'config'>,
  findings: readonly Finding[],
  isAnswered: boolean,
): Promise<readonly Finding[]> {
  if (isAnswered || !hasUnanswered(findings) || (await hasNetwork(config.dns.servers))) return findings;
  return withoutNetwork(findings);
}

/** Adds a kind to the list. */
export function listKind<Input, Result, Need extends keyof Outside>(
  machine: InspectionMachine<Input, Result, Need>,
): Addition {
  const { listing, kind, noun } = machine;
  if (!listing) throw new Error(`The kind ${kind} declares nothing that lists could say of it.`);
  if ((listing.gate === undefined) !== (listing.contentChecking === undefined))
    throw new Error(
      `The kind ${kind} must be a check of gates and of previews, or of neither: pages list both as one.`,
    );
  // What asks for several kinds at once has an email, which is an input of each.
  const ofEmail = machine as unknown as InspectionMachine<StoredSource, Result, keyof CheckDoors>;
  return addTo(inspectionKinds, {
    ...listing,
    kind,
    noun,
    machine: ofEmail,
    runInGate:
      listing.gate?.run ??
      (async (outside, email, turn) => {
        const { findings } = await ofEmail.inspect(outside, pictured(email), turn);
        return { findings: toldBeside(findings, email) };
      }),
  });
}
