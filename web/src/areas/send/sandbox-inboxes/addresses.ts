/** The addresses that somebody wrote into one field, with commas, semicolons or spaces between them. */
export const addressesIn = (text: string): string[] => text.split(/[,;\s]+/).filter((address) => address !== '');
