// Relative addresses of pictures, where the message is a file and the pictures lie beside it: they are put on a server
// with the message, so they are worth a warning. In a message that is sent they are errors.
import type { Finding } from '../findings/index.ts';

const RULES = new Set(['images/absolute-url', 'hygiene/relative-address']);

/** `isThere` answers for an address as written. Everything else stays as it is. */
export function picturesBeside(findings: readonly Finding[], isThere: (address: string) => boolean): Finding[] {
  return findings.map((finding) => {
    const address = finding.details?.['address'];
    // An address of a picture counts as completed by the page, which here is the folder.
    const isCompleted = finding.details?.['completed_by'] === 'page';
    if (!RULES.has(finding.rule) || (finding.severity !== 'error' && !isCompleted) || typeof address !== 'string')
      return finding;
    if (!isThere(address))
      return isCompleted
        ? {
            ...finding,
            severity: 'error',
            message: `“${address.slice(0, 100)}” is a relative URL, which email clients cannot load.`,
          }
        : finding;
    return {
      ...finding,
      severity: 'warning',
      message: `“${address.slice(0, 100)}” is a relative address; the file lies beside the message here.`,
      fix: 'Upload it to a web server, and use its absolute URL, starting with https://, before you send the message.',
    };
  });
}
