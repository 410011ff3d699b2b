import { Button, type ButtonProps } from '@mantine/core';
import { fetchAnswer, GalleyError } from '@galley/sdk';
import { useState, type ReactNode } from 'react';
import { actingFor, sentenceOf } from '../api.ts';
import { saveFile } from '../csv.ts';
import { tell } from './ask.ts';

interface DownloadButtonProps extends Pick<ButtonProps, 'size' | 'leftSection'> {
  /** Of the file, without a host. */
  path: string;
  /** Where the service gives the file no name. */
  name: string;
  label?: string | undefined;
  children: ReactNode;
}

/** `attachment; filename="audit.csv"`. */
const nameIn = (header: string | null): string | undefined => /filename="([^"]+)"/.exec(header ?? '')?.[1];

/** What went wrong, in the service's words where it has some. */
async function refusalOf(response: Response): Promise<Error> {
  const body: unknown = await response.json().catch(() => undefined);
  const words = (body as { message?: string } | undefined)?.message ?? 'The service did not give the file.';
  return new GalleyError(response.status, words, { body, requestId: response.headers.get('x-request-id') ?? '' });
}

/** Reads a file for the account that this tab works for, and hands it to the reader. */
async function fetchFile(path: string, accountId: string, name: string): Promise<void> {
  const response = await fetchAnswer(path, { headers: { 'x-service-account-id': accountId } });
  if (!response.ok) throw await refusalOf(response);
  const { headers } = response;
  saveFile(
    nameIn(headers.get('content-disposition')) ?? name,
    [await response.blob()],
    headers.get('content-type') ?? 'application/octet-stream',
  );
}

/**
 * Hands out a file of the service. A plain link carries the session of who signed in, and not the subaccount that they
 * look at: for that one the page asks itself.
 */
export function DownloadButton({ path, name, label, children, ...look }: DownloadButtonProps) {
  const [isReading, setReading] = useState(false);
  const accountId = actingFor();
  if (accountId === null)
    return (
      <Button component="a" variant="default" download href={path} aria-label={label} {...look}>
        {children}
      </Button>
    );
  const save = async (): Promise<void> => {
    setReading(true);
    try {
      await fetchFile(path, accountId, name);
    } catch (error) {
      tell({ color: 'red', title: 'No file was downloaded', message: sentenceOf(error) });
    }
    setReading(false);
  };
  return (
    <Button variant="default" aria-label={label} loading={isReading} onClick={() => void save()} {...look}>
      {children}
    </Button>
  );
}
