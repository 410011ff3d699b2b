const WIDTH = 30;

/** A progress bar on standard error: redrawn on a terminal, silent elsewhere. */
export function progressBar(total: number, isQuiet: boolean): { tick: () => void; end: () => void } {
  const isShown = !isQuiet && process.stderr.isTTY;
  let done = 0;
  const draw = (): void => {
    const filled = total ? Math.round((done / total) * WIDTH) : WIDTH;
    process.stderr.write(`\r${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total}`);
  };
  if (isShown) draw();
  return {
    tick() {
      done += 1;
      if (isShown) draw();
    },
    end() {
      if (isShown) process.stderr.write('\n');
    },
  };
}
