import { Button, SegmentedControl } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, sentenceOf } from '../../../ground/api.ts';
import { pollMs } from '../../../ground/polling.ts';
import { ReloadIcon } from '../../../ground/brand/icons.tsx';
import { useProof } from '../../../shared/proof/proof.ts';
import { CheckGate, Checking, NotLoaded } from '../../../shared/report/check-gate.tsx';
import { imageTestQuery, type ImageTest, type Optimized } from '../../../shared/report/report-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { SeverityMark } from '../../../shared/report/severity.tsx';
import { ShowMore, useGrowing } from '../../../shared/report/growing.tsx';
import { tell } from '../../../ground/shell/ask.ts';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { bytes, count } from '../../../ground/words.ts';
import { betterOf, severityOf, worstOf } from './image-facts.ts';
import { ImageCard } from './image-card.tsx';
import classes from './images-page.module.css';

const POLL_MS = 800;

function isOptimizing({ items }: ImageTest): boolean {
  return items.image_optimization?.optimized_images.some(({ status }) => status === 'Processing') ?? false;
}

function useOptimize(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (imageId: string | null): Promise<unknown> =>
      imageId === null
        ? api.call('POST /v1/inspect/images/{id}/optimize', { path: { id } })
        : api.call('POST /v1/inspect/images/{id}/optimize/{image_id}', { path: { id, image_id: imageId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['image-test', id] }),
    onError: (error) => tell({ color: 'red', title: 'The images were not optimized', message: sentenceOf(error) }),
  });
}

function useRecheck(testId: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.call('POST /v1/inspect/images/{id}/reprocess', { path: { id } }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['image-test', id] }),
        queries.invalidateQueries({ queryKey: ['inspection', id] }),
        queries.invalidateQueries({ queryKey: ['test', testId] }),
      ]),
    onError: (error) => tell({ color: 'red', title: 'The images were not checked again', message: sentenceOf(error) }),
  });
}

/** What the files that may take an image's place save together. */
function Saved({
  items: { images, total_size_bytes: total },
  optimized,
}: {
  items: ImageTest['items'];
  optimized: Optimized[];
}) {
  const saved = images.reduce((sum, { id }) => {
    const own = betterOf(optimized, id)
      .filter(({ kind }) => kind !== 'alternative')
      .map((one) => (one.original_size_bytes ?? 0) - (one.optimized_size_bytes ?? 0));
    return sum + Math.max(0, ...own);
  }, 0);
  return saved > 0 && total ? (
    <span>
      <strong className={classes.saved}>−{bytes(saved)}</strong> of {bytes(total)} can be saved
    </span>
  ) : null;
}

interface ImagesProps {
  testId: string;
  id: string;
  test: ImageTest;
}

function Images({ testId, id, test: { items } }: ImagesProps) {
  const [filter, setFilter] = useState('');
  const optimize = useOptimize(id);
  const recheck = useRecheck(testId, id);
  const { canWrite } = useRole();
  const optimized = items.image_optimization?.optimized_images ?? [];
  const isWrong = (image: ImageTest['items']['images'][number]): boolean =>
    ['error', 'warning'].includes(worstOf(image));
  const shown = items.images.filter((image) => filter === '' || isWrong(image));
  const page = useGrowing(shown);
  const wrong = items.images.filter(isWrong).length;
  const isAllBusy = optimize.isPending && optimize.variables === null;
  if (items.images.length === 0) return <Notice title="No images">The message contains no images.</Notice>;
  return (
    <>
      <h2 className="visually-hidden">Images</h2>
      <div className={reportClasses.filters} role="search" aria-label="Filters">
        <SegmentedControl
          aria-label="Show"
          value={filter}
          onChange={setFilter}
          data={[
            { value: '', label: `All ${items.images.length}` },
            { value: 'wrong', label: `With problems ${wrong}` },
          ]}
        />
        <span className={classes.total}>
          {count(items.images.length, 'image')}
          {items.total_size_bytes ? `, ${bytes(items.total_size_bytes)}` : ''}
          {items.total_size_bytes && items.total_load_time_ms !== null
            ? `, loaded in ${items.total_load_time_ms} ms`
            : ''}
        </span>
        <span className={classes.tools}>
          <Saved items={items} optimized={optimized} />
          <Button
            variant="default"
            size="xs"
            h={34}
            leftSection={<ReloadIcon />}
            loading={recheck.isPending}
            disabled={!canWrite}
            onClick={() => recheck.mutate()}
          >
            Check again
          </Button>
          <Button
            size="xs"
            h={34}
            loading={isAllBusy}
            disabled={!canWrite || !items.total_size_bytes}
            onClick={() => optimize.mutate(null)}
          >
            Optimize all
          </Button>
        </span>
      </div>
      {items.failures.map((finding) => (
        <p key={finding.id} className={classes.together}>
          <SeverityMark severity={severityOf(finding)} />{' '}
          <span>
            {finding.description}
            {finding.recommendation && <span className="dim"> {finding.recommendation}</span>}
          </span>
        </p>
      ))}
      <div className={classes.grid}>
        {page.shown.map((image) => (
          <ImageCard
            key={image.id}
            image={image}
            optimized={optimized}
            canOptimize={canWrite}
            isBusy={isAllBusy || (optimize.isPending && optimize.variables === image.id)}
            onOptimize={() => optimize.mutate(image.id)}
          />
        ))}
      </div>
      <ShowMore page={page} noun="image" />
      {shown.length === 0 && <Notice title="No problems found" />}
    </>
  );
}

function ImageTestView({ testId, id }: { testId: string; id: string }) {
  const query = imageTestQuery(id);
  const test = useQuery({
    ...query,
    refetchInterval: (query) =>
      pollMs(query, (data) => data.meta.status === 'Processing' || isOptimizing(data), POLL_MS),
  });
  if (test.error && !test.data) return <NotLoaded error={test.error} retry={() => void test.refetch()} />;
  if (!test.data || test.data.meta.status === 'Processing') return <Checking name="image_validation" />;
  return <Images testId={testId} id={id} test={test.data} />;
}

/** Every image of a message: what it is, what is wrong with it, and how small it can be. */
export function ImagesPage() {
  const { testId = '' } = useProof();
  return (
    <div className={reportClasses.body}>
      <CheckGate testId={testId} name="image_validation">
        {(id) => <ImageTestView testId={testId} id={id} />}
      </CheckGate>
    </div>
  );
}
