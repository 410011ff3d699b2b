import { useEffect, useEffectEvent, useState } from 'react';
import { useFileDrop } from '../../../shared/message/use-file-drop.ts';
import { fileInClipboard, forget, readChosen, scaleFor, type ChosenPicture } from './chosen-picture.ts';

export interface ChosenState {
  picture: ChosenPicture | undefined;
  /** Why the last one that was given is not taken. */
  error: string | undefined;
  scale: number;
  setScale: (scale: number) => void;
  /** A file is held over the page. */
  isDragged: boolean;
  take: (file: File | undefined) => void;
  clear: () => void;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

/** The screenshot: pasted anywhere on the page, dropped on it, or chosen. */
export function useChosenPicture(previewWidth: number | undefined): ChosenState {
  const [picture, setPicture] = useState<ChosenPicture>();
  const [error, setError] = useState<string>();
  const [scale, setScale] = useState(1);
  const take = (file: File | undefined): void => {
    setError(undefined);
    readChosen(file).then(
      (read) => {
        setPicture(read);
        setScale(scaleFor(read.width, previewWidth));
      },
      (reason: unknown) => setError(reason instanceof Error ? reason.message : String(reason)),
    );
  };
  const isDragged = useFileDrop(take);
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const file = fileInClipboard(event.clipboardData);
    // Text that is pasted into a field is meant for the field.
    if (!file && isField(event.target)) return;
    event.preventDefault();
    take(file);
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent): void => onPaste(event);
    document.addEventListener('paste', listener);
    return () => document.removeEventListener('paste', listener);
  }, []);
  useEffect(() => (picture ? () => forget(picture) : undefined), [picture]);
  return {
    picture,
    error,
    scale,
    setScale,
    isDragged,
    take,
    clear: () => (setPicture(undefined), setError(undefined)),
  };
}
