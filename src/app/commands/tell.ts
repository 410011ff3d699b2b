/** A line for whoever runs the command, beside what it writes on standard output. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
