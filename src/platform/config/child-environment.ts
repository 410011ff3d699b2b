/** What a program that the service starts may know of its surroundings: where programs are, and the time zone. */
export function childEnvironment(): { PATH: string; TZ?: string } {
  const { PATH = '', TZ } = process.env;
  return { PATH, ...(TZ !== undefined && { TZ }) };
}
