import { useEffect, useEffectEvent, useState } from 'react';

/** Takes a file that is dropped anywhere on the page. Answers whether one is held over it. */
export function useFileDrop(onFile: (file: File | undefined) => void): boolean {
  const [isDragged, setDragged] = useState(false);
  const take = useEffectEvent(onFile);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    const onOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragged(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDragged(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragged(false);
      take(event.dataTransfer?.files[0]);
    };
    document.addEventListener('dragover', onOver);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, []);
  return isDragged;
}
