/** Writes a line for the person who runs the command to standard error. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
