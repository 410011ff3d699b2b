// All questions of one message go through here: asked once each, and not without end.
import type { AuthDns, AuthRecordType } from './types.ts';

/** A message can make a receiver ask: per signature, per SPF term, per level of the tree. This is the end of it. */
const QUESTIONS_MAX = 120;

export type LibraryResolver = (name: string, type: string) => Promise<string[][] | string[]>;

class TooManyQuestions extends Error {
  /** Libraries read it as a failure that says nothing about the name. */
  readonly code = 'EREFUSED';
}

/** Errors and lists are copied for each asker, for the library writes on them. */
export function boundedResolver(dns: AuthDns): LibraryResolver {
  const asked = new Map<string, Promise<unknown[]>>();
  return async (name, type) => {
    const key = `${type} ${name.toLowerCase()}`;
    let answer = asked.get(key);
    if (!answer) {
      if (asked.size >= QUESTIONS_MAX)
        throw new TooManyQuestions(`more than ${QUESTIONS_MAX} DNS questions for one message`);
      answer = dns.resolve(name, type as AuthRecordType);
      asked.set(key, answer);
    }
    try {
      return structuredClone(await answer) as string[][] | string[];
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw Object.assign(new Error(message), { code });
    }
  };
}
