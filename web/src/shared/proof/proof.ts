// A test as the pages see it, whether it is the reader's own or was shared with them.
import { createContext, use } from 'react';
import { pathOf, type EmailClient, type Result, type TestInfo } from '../../ground/api.ts';
import { byFamily } from './family-order.ts';
import type { Device, Scheme } from './proof-search.ts';

type Status = 'processing' | 'completed' | 'bounced';

export interface ProofClient {
  id: string;
  name: string;
  family: string;
  /** The system or the browser that the client runs in: `iOS 18`, `Chrome`, `Windows 11`. */
  place: string;
  device: Device;
  scheme: Scheme;
  status: Status;
  /** Equal ids are equal pictures; undefined until it is made. */
  pictureId: string | undefined;
  /** Equal for pictures that look the same; undefined until it is made. */
  look: string | undefined;
  /** The address of the top of its picture while the rest is being made. */
  firstScreen?: string | undefined;
  result: Result;
}

export interface Proof {
  title: string;
  createdAt: Date;
  clients: ProofClient[];
  /** Address of the page with all its pictures. */
  base: string;
  /** The id of the reader's own test; undefined where it was shared with them. */
  testId: string | undefined;
}

export const ProofContext = createContext<Proof | null>(null);

/** The test that the page shows. */
export function useProof(): Proof {
  const proof = use(ProofContext);
  if (!proof) throw new Error('useProof must be used inside a test page.');
  return proof;
}

const DEVICE_OF: Record<string, Device> = { Application: 'desktop', Web: 'web', Webmail: 'web', Mobile: 'mobile' };

const STATUS_OF: Record<string, Status> = {
  processing: 'processing',
  complete: 'completed',
  completed: 'completed',
  bounced: 'bounced',
};

function schemeOf(id: string, client: EmailClient | undefined): Scheme {
  return client?.color_scheme ?? (id.endsWith('_dm') ? 'dark' : 'light');
}

interface ProofParts {
  results: Result[];
  /** Newer than the results while a test is under way. */
  info?: Pick<TestInfo, 'completed' | 'bounced'> | undefined;
  clients?: Record<string, EmailClient> | undefined;
}

type Facts = Partial<Pick<EmailClient, 'family' | 'color_scheme'>>;

/** The clients of a test, in the order in which they are shown. */
export function proofClients({ results, info, clients = {} }: ProofParts): ProofClient[] {
  const completed = new Set(info?.completed);
  const bounced = new Set(info?.bounced);
  return results
    .map((result) => {
      const known = clients[result.id];
      const facts: Facts = result as Facts;
      const told = completed.has(result.id) ? 'completed' : bounced.has(result.id) ? 'bounced' : undefined;
      return {
        id: result.id,
        name: result.display_name,
        family: facts.family ?? known?.family ?? result.client,
        place: result.browser || result.os,
        device: DEVICE_OF[result.category] ?? 'desktop',
        scheme: facts.color_scheme ?? schemeOf(result.id, known),
        status: told ?? STATUS_OF[result.status.toLowerCase()] ?? 'processing',
        pictureId: result.pictures['default']?.id,
        look: result.pictures['default']?.look,
        firstScreen: result.first_screens?.['default']?.url,
        result,
      };
    })
    .sort(byFamily);
}

/** Reprocessed pictures keep their address: the time of submission tells the browser that it is a new one. */
function fresh(url: string, { result }: ProofClient): string {
  return `${pathOf(url)}?v=${result.status_details.submitted}`;
}

/** The whole picture, small. */
export function thumbnailOf(client: ProofClient): string {
  return fresh(client.result.full_thumbnail.replace(/\.jpg$/, '.webp'), client);
}

/** The top of a picture that is still being made, small. */
export function firstScreenOf(client: ProofClient): string | undefined {
  return client.firstScreen && fresh(client.firstScreen.replace(/\.png$/, '.webp'), client);
}

export function pictureOf(client: ProofClient, shot: string): string | undefined {
  const url = client.result.screenshots[shot];
  return url ? fresh(url, client) : undefined;
}

export function downloadOf(client: ProofClient, shot: string): string | undefined {
  const url = client.result.screenshots[shot];
  return url ? `${pathOf(url)}?download=1` : undefined;
}

const SHOT_NAMES: Record<string, string> = { default: 'Default', no_images: 'Images off', horizontal: 'Landscape' };
const SHOT_ORDER = Object.keys(SHOT_NAMES);

export function shotName(shot: string): string {
  return SHOT_NAMES[shot] ?? shot;
}

/** The pictures of a client: default, images off, landscape. */
export function shotsOf(client: ProofClient): string[] {
  return Object.keys(client.result.screenshots).sort((a, b) => SHOT_ORDER.indexOf(a) - SHOT_ORDER.indexOf(b));
}

/** The picture that the address asks for, where the client has it. */
export function shotOf(client: ProofClient, wanted: string | undefined): string {
  return wanted && client.result.screenshots[wanted] ? wanted : 'default';
}
