import '@mantine/code-highlight/styles.layer.css';
import { CodeHighlight, CodeHighlightAdapterProvider, createHighlightJsAdapter } from '@mantine/code-highlight';
import { Alert, Loader, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import highlight from 'highlight.js/lib/core';
import css from 'highlight.js/lib/languages/css';
import html from 'highlight.js/lib/languages/xml';
import { useState } from 'react';
import { api, sentenceOf } from '../../../../ground/api.ts';
import { SideDialog } from '../../../../ground/shell/dialog.tsx';
import { bytes, figure } from '../../../../ground/words.ts';
import '../../../../shared/report/source-colors.css';

highlight.registerLanguage('css', css);
highlight.registerLanguage('html', html);
const adapter = createHighlightJsAdapter(highlight);

type Kind = 'html' | 'inlinecss' | 'textonly';

/** Coloring more than this takes longer than reading it does. */
const COLORED_CHARACTERS_MAX = 400_000;

function contentOf(testId: string, kind: Kind, signal: AbortSignal) {
  const path = { test_id: testId };
  return kind === 'html'
    ? api.call('GET /v1/preview/tests/{test_id}/content', { path }, { signal })
    : api.call('GET /v1/preview/tests/{test_id}/content/{content}', { path: { ...path, content: kind } }, { signal });
}

function Source({ testId, kind }: { testId: string; kind: Kind }) {
  const source = useQuery({
    queryKey: ['content', testId, kind],
    queryFn: async ({ signal }) => (await contentOf(testId, kind, signal)).content,
    staleTime: Infinity,
  });
  if (source.error)
    return (
      <Alert color="red" title="The source could not be loaded">
        {sentenceOf(source.error)}
      </Alert>
    );
  if (source.data === undefined) return <Loader size="sm" aria-label="Loading" />;
  const isColored = kind !== 'textonly' && source.data.length <= COLORED_CHARACTERS_MAX;
  return (
    <>
      <Text size="xs" c="dimmed" mb={8}>
        {bytes(new Blob([source.data]).size)} · {figure(source.data.split('\n').length)} lines
      </Text>
      <CodeHighlight
        code={source.data}
        language={isColored ? 'html' : 'plaintext'}
        withCopyButton
        copyLabel="Copy"
        copiedLabel="Copied"
      />
    </>
  );
}

/** The message itself: as it came, with its styles inlined, and as text. */
export function SourceDrawer({ testId, onClose }: { testId: string; onClose: () => void }) {
  const [kind, setKind] = useState<Kind>('html');
  return (
    <SideDialog onClose={onClose} size="min(920px, 100%)" title="Source">
      <CodeHighlightAdapterProvider adapter={adapter}>
        <Tabs value={kind} onChange={(value) => setKind((value ?? 'html') as Kind)}>
          <Tabs.List mb="md">
            <Tabs.Tab value="html">HTML</Tabs.Tab>
            <Tabs.Tab value="inlinecss">Styles inlined</Tabs.Tab>
            <Tabs.Tab value="textonly">Text only</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value={kind}>
            <Source testId={testId} kind={kind} />
          </Tabs.Panel>
        </Tabs>
      </CodeHighlightAdapterProvider>
    </SideDialog>
  );
}
