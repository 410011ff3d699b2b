// What is filled into the merge tags of a message, as it is typed.

interface MergeData {
  /** Undefined where nothing is typed, or what is typed is no JSON object. */
  data: Record<string, unknown> | undefined;
  /** Why it cannot be sent. */
  fault: string | undefined;
}

/** Reads a JSON object. */
export function readMergeData(text: string): MergeData {
  if (text.trim() === '') return { data: undefined, fault: undefined };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { data: value as Record<string, unknown>, fault: undefined };
    return {
      data: undefined,
      fault: 'Enter a JSON object with names and values, for example { "first_name": "Ada" }.',
    };
  } catch (error) {
    return {
      data: undefined,
      fault: `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
    };
  }
}

/** The part of a request that it is; nothing where there is none. */
export function dataField(text: string): { data?: Record<string, unknown> } {
  const { data } = readMergeData(text);
  return data === undefined ? {} : { data };
}
