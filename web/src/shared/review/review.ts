// A review, as its people see it: those with an account, and reviewers by link.
import type { Reply } from '@galley/sdk';

export type Review = Reply<'GET /v1/emails/{email_id}/versions/{number}/review'>;
export type Thread = Review['threads'][number];
export type Picture = Review['pictures'][number];
export type Decision = 'approved' | 'changes_requested';

/** A place of a picture, in shares of its width and height; without x and y, all of it. */
export interface Place {
  client?: string;
  x?: number;
  y?: number;
}

/** What whoever looks may do. Each rejects with what the service says. */
export interface ReviewActions {
  /** Whoever looks, as the author of what is theirs; undefined: not known. */
  me: string | undefined;
  comment?: (place: Place, text: string) => Promise<unknown>;
  reply?: (threadId: string, text: string) => Promise<unknown>;
  decide?: (decision: Decision, note: string) => Promise<unknown>;
  resolve?: (threadId: string, isResolved: boolean) => Promise<unknown>;
  remove?: (commentId: string) => void;
}

type Tone = 'good' | 'bad' | 'doubt' | undefined;

const STATES: Readonly<Record<Review['state'], { label: string; tone: Tone }>> = {
  none: { label: 'not reviewed', tone: undefined },
  open: { label: 'in review', tone: 'doubt' },
  approved: { label: 'approved', tone: 'good' },
  changes_requested: { label: 'changes requested', tone: 'bad' },
};

/** How a review stands, in words. */
export const stateWords = (state: Review['state']): { label: string; tone: Tone } => STATES[state];
