import { canonicalAddress } from '../../../engines/mime/index.ts';

/** How an address is compared: as one mailbox has it in practice. Of one line. */
export const comparable = (address: string): string =>
  canonicalAddress(address.trim()) ??
  address
    .trim()
    .toLowerCase()
    .replaceAll(/[\r\n]+/g, ' ');
