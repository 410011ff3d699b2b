// What keeps settings from having an effect, in sentences for those who look at them.
import type { Outside } from '../../../platform/feature/index.ts';
import { deliveryModeOf, type SendingDomain } from '../sending-domains/index.ts';

const CAPTURED =
  'Messages of this domain stay in this service (capture), so that their links are left as they are and nothing of ' +
  'them is tracked; footers do stand in them.';
const NO_ADDRESS =
  'Clicks and opens are not tracked: this service has no address that readers could reach. Its operator sets ' +
  'GALLEY_PUBLIC_URL.';
const NO_LINKS =
  'A message that would leave with a footer whose link leads nowhere is refused: this service has no address that ' +
  'readers could reach. Its operator sets GALLEY_PUBLIC_URL.';

/** None: what is switched on has its effect. */
export function notesOf({ config }: Pick<Outside, 'config'>, domain: SendingDomain): string[] {
  const isCaptured = deliveryModeOf(domain, config.sending.delivery) === 'capture';
  const hasAddress = config.publicUrl !== '';
  return [...(isCaptured ? [CAPTURED] : []), ...(hasAddress ? [] : [NO_ADDRESS, ...(isCaptured ? [] : [NO_LINKS])])];
}
