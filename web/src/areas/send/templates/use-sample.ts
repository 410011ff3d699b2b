// Values that a template is tried with. They are kept in this browser, and nowhere else.
import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import { readMergeData } from '../../../shared/message/merge-data.ts';
import type { Place } from './templates-api.ts';

export interface Sample {
  text: string;
  setText: (text: string) => void;
  /** Undefined where what is typed is no JSON object. */
  variables: Record<string, unknown> | undefined;
  fault: string | undefined;
}

/** The sample of a template, as JSON. */
export function useSample({ domain, name }: Place): Sample {
  const [text, setText] = useLocalStorage({
    key: `galley.template-sample.${domain ?? ''}/${name}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return useMemo(() => {
    const { data, fault } = readMergeData(text);
    return { text, setText, variables: fault === undefined ? (data ?? {}) : undefined, fault };
  }, [text, setText]);
}
