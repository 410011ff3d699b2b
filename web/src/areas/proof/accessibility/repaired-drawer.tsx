import { Alert, Button, CopyButton, Tabs } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CopyIcon, DownloadIcon } from '../../../ground/brand/icons.tsx';
import { RichText } from '../../../shared/report/rich-text.tsx';
import { SideDialog } from '../../../ground/shell/dialog.tsx';
import { count } from '../../../ground/words.ts';
import classes from './accessibility-page.module.css';
import type { Repaired } from './repair.tsx';

function useObjectUrl(text: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'text/html' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return url;
}

const LINES_MAX = 4000;

/** A unified diff, its lines in the colors of what they do. */
function Diff({ diff }: { diff: string }) {
  const lines = diff.split('\n');
  return (
    <div className={classes.diff} tabIndex={0} role="region" aria-label="Differences">
      {lines.slice(0, LINES_MAX).map((line, place) => (
        <div
          key={place}
          className={classes.diffLine}
          data-kind={
            line.startsWith('@@')
              ? 'at'
              : /^(?:\+\+\+|---)/.test(line)
                ? 'file'
                : line.startsWith('+')
                  ? 'plus'
                  : line.startsWith('-')
                    ? 'minus'
                    : undefined
          }
        >
          {line || ' '}
        </div>
      ))}
      {lines.length > LINES_MAX && (
        <div className={classes.diffLine}>
          … {lines.length - LINES_MAX} more lines. The downloaded file contains all changes.
        </div>
      )}
    </div>
  );
}

function Counts({ before, after }: Pick<Repaired, 'before' | 'after'>) {
  const rows = [
    ['Failing rules', before.failures, after.failures],
    ['Failing places', before.failing_places, after.failing_places],
    ['Passing rules', before.passes, after.passes],
  ] as const;
  return (
    <dl className={classes.counts}>
      {rows.map(([name, was, is]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {was} <span aria-label="then">→</span> <strong>{is}</strong>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Fixes({ fixes }: Pick<Repaired, 'fixes'>) {
  const guesses = fixes.filter(({ check }) => check).length;
  return (
    <>
      {guesses > 0 && (
        <p className={classes.guessNote}>
          {count(guesses, 'change is a guess', 'changes are guesses')}, marked “review”. Check them before you send the
          message.
        </p>
      )}
      <ol className={classes.fixes}>
        {fixes.map(({ rule, line, before, after, note, check, changes_look: changesLook }, place) => (
          <li key={place}>
            <p>
              <strong>line {line}</strong> <RichText text={note} /> <span className="dim">{rule}</span>
              {check && <span className={classes.guess}>review</span>}
              {changesLook && <span className={classes.look}>visible</span>}
            </p>
            <code className={classes.beforeCode}>{before || '(nothing)'}</code>
            <code className={classes.afterCode}>{after || '(nothing)'}</code>
          </li>
        ))}
      </ol>
    </>
  );
}

function Remaining({ remaining }: Pick<Repaired, 'remaining'>) {
  if (remaining.length === 0) return <p>The source has no further failures.</p>;
  return (
    <ul className={classes.remaining}>
      {remaining.map(({ rule, description, what, lines, instance_count: places, reasons }) => (
        <li key={rule}>
          <strong>{description}</strong>{' '}
          <span className="dim">
            {rule}, {count(places, 'place')}
            {lines.length > 0 && `: line ${lines.join(', ')}`}
          </span>
          <p>
            <RichText text={what} />
          </p>
          {reasons.map((reason) => (
            <p key={reason} className="dim">
              {reason}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** What a repair changes: each change, the diff, and what is left to do. */
export function RepairedDrawer({ repaired, onClose }: { repaired: Repaired; onClose: () => void }) {
  const url = useObjectUrl(repaired.html);
  const { fixes, remaining, diff, before, after } = repaired;
  const seen = fixes.filter(({ changes_look: changesLook }) => changesLook).length;
  return (
    <SideDialog onClose={onClose} size="min(940px, 100%)" title="Repaired message">
      {fixes.length === 0 ? (
        <Alert mb="md" title="Nothing to repair">
          No failing rule can be repaired automatically.
        </Alert>
      ) : (
        <p className={classes.drawerLead}>
          {count(fixes.length, 'change')} in the source.{' '}
          {seen === 0 ? 'The message looks the same.' : `${count(seen, 'change')} can be seen, marked “visible”.`}
        </p>
      )}
      <Counts before={before} after={after} />
      <div className={classes.drawerActions}>
        {url && (
          <Button component="a" href={url} download="repaired.html" leftSection={<DownloadIcon />}>
            Download repaired HTML
          </Button>
        )}
        <CopyButton value={diff}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={<CopyIcon />} onClick={copy}>
              {copied ? 'Copied' : 'Copy diff'}
            </Button>
          )}
        </CopyButton>
      </div>
      <Tabs defaultValue="changes" keepMounted={false}>
        <Tabs.List mb="md" aria-label="Repairs">
          <Tabs.Tab value="changes">Changes ({fixes.length})</Tabs.Tab>
          <Tabs.Tab value="diff">Diff</Tabs.Tab>
          <Tabs.Tab value="remaining">Remaining ({remaining.length})</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="changes">
          <Fixes fixes={fixes} />
        </Tabs.Panel>
        <Tabs.Panel value="diff">{diff ? <Diff diff={diff} /> : <p>No changes</p>}</Tabs.Panel>
        <Tabs.Panel value="remaining">
          <Remaining remaining={remaining} />
        </Tabs.Panel>
      </Tabs>
    </SideDialog>
  );
}
