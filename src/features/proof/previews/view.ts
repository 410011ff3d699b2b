import type { Static } from 'typebox';
import { publishedBehaviorsOf, undecidedCells, type ClientProfile } from '../../../engines/client-emulation/index.ts';
import { defaultAudience, isReadBy, type UsedFeature } from '../../../engines/code-analysis/index.ts';
import { withAliases } from '../../../platform/http/index.ts';
import { unixSeconds } from '../../../platform/times/index.ts';
import type { Evidence, Result, Undecided } from './contract.ts';
import type { TestInfo } from './info-store.ts';
import type { ShotPicture } from './pictures-store.ts';
import type { PreviewResult, PreviewTest } from './store.ts';

/** Unix seconds; 0 stands for "not yet". */
function seconds(date: Date | null): number {
  return date ? unixSeconds(date) : 0;
}

export function summaryView(test: PreviewTest) {
  return {
    id: test.id,
    date: seconds(test.createdAt),
    type: 'email-test' as const,
    subject: test.subject,
    headers: test.headers,
  };
}

export function infoView(test: TestInfo, contentChecking: Record<string, unknown>) {
  return {
    subject: test.subject,
    name: test.name,
    date: seconds(test.createdAt),
    ...progressView(test, contentChecking),
    headers: test.headers,
    ...echoView(test),
    image_blocking: test.imageBlocking,
    pane_width: test.paneWidth,
    expires_at: seconds(test.expiresAt),
  };
}

/** What changes of a test while it is under way. */
export function progressView(test: TestInfo, contentChecking: Record<string, unknown>) {
  return {
    completed: test.completed,
    processing: test.processing,
    bounced: test.bounced,
    ...(test.firstScreens.length > 0 && { first_screens: test.firstScreens }),
    content_checking: contentChecking,
  };
}

/** What the caller submitted with the test, and gets back. */
export function echoView(test: Pick<PreviewTest, 'referenceId' | 'customerId'>) {
  return {
    ...(test.referenceId !== null && { reference_id: test.referenceId }),
    ...(test.customerId !== null && { customer_id: test.customerId }),
  };
}

/** The screenshots that a client of this test has, whether made or not yet. */
export function shotNames(test: Pick<PreviewTest, 'imageBlocking'>, profile: ClientProfile): string[] {
  return [
    'default',
    ...(profile.rotate ? ['horizontal'] : []),
    ...(test.imageBlocking && profile.imageBlocking ? ['no_images'] : []),
  ];
}

export interface ResultParts {
  test: PreviewTest;
  profile: ClientProfile;
  result: PreviewResult;
  shots: readonly ShotPicture[];
  /** The base address of its pictures: the address of the test or of a share. */
  filesUrl: string;
  /** How the picture was made, or would be. */
  fidelity: 'real' | 'engine' | 'emulated';
  /** The status words of the API's two versions. */
  words: Record<PreviewResult['status'], string>;
  /** When the client was last held against the real one. */
  evidence: Evidence | undefined;
  /** The features that the message uses; undefined where they are not known. */
  used: readonly UsedFeature[] | undefined;
}

export const V1_WORDS = { processing: 'Processing', completed: 'Complete', bounced: 'Bounced' };
export const V2_WORDS = { processing: 'processing', completed: 'complete', bounced: 'bounced' };

export function resultView({
  test,
  profile,
  result,
  shots,
  filesUrl,
  fidelity,
  words,
  evidence,
  used,
}: ResultParts): Static<typeof Result> {
  const isBounced = result.status === 'bounced';
  const url = (file: string): string => (isBounced ? '' : `${filesUrl}/${profile.id}/${file}`);
  const made = shots.filter((shot) => shot.picture !== null);
  const first = made.find((shot) => shot.shot === 'default')?.picture;
  return withAliases({
    id: profile.id,
    displayname: profile.displayName,
    client: profile.client,
    os: profile.os,
    category: profile.category,
    browser: profile.browser,
    screenshots: isBounced
      ? {}
      : Object.fromEntries(shotNames(test, profile).map((shot) => [shot, url(`${shot}.png`)])),
    thumbnail: url('default.thumbnail.jpg'),
    fullthumbnail: url('default.full-thumbnail.jpg'),
    status: words[result.status],
    statusdetails: withAliases({
      submitted: seconds(result.submittedAt),
      completed: seconds(result.completedAt),
      bouncecode: result.bounceCode,
      bouncemessage: result.bounceMessage,
      attempts: result.attempts,
    }),
    fidelity,
    undecided: undecidedIn(used, profile, fidelity),
    engine: first?.engineVersion ?? '',
    family: profile.family,
    color_scheme: profile.colorScheme,
    notes: [
      ...new Set([...result.notes, ...(first?.notes ?? [])]),
      ...made
        .filter((shot) => shot.picture?.isCut)
        .map(
          (shot) =>
            `The ${shot.shot} picture is cut: the message is ${shot.picture?.contentHeight} px high, ` +
            `${shot.picture?.height} px are shown.`,
        ),
    ],
    ...findingsView(made),
    audience_share: shareOf(profile),
    pictures: Object.fromEntries(made.map((shot) => [shot.shot, pictureView(shot, { profile, url })])),
    ...firstScreensView(result.status === 'processing' ? shots : [], url),
    last_compared: evidence ?? null,
    published_behaviors: publishedBehaviorsOf(profile) ?? null,
    sources: profile.sources,
  }) as Static<typeof Result>;
}

/** Percent of the default audience that reads in the client's family and platform; null where that is not known. */
function shareOf({ support }: ClientProfile): number | null {
  const client = support && `${support.family}.${support.platform}`;
  const shares = defaultAudience.clients.filter((one) => one.client.split('@')[0] === client);
  return shares.length > 0 ? shares.reduce((sum, { share }) => sum + share, 0) : null;
}

/** Faults that the pictures of a client show. With images off nobody expects all to be seen. */
function findingsView(made: readonly ShotPicture[]) {
  const looked = made.filter(({ shot }) => shot !== 'no_images');
  const findings = looked.flatMap(({ shot, picture }) =>
    (picture?.findings ?? []).map((finding) => ({ ...finding, details: { ...finding.details, shot } })),
  );
  return {
    findings,
    findings_measured: looked.length > 0 && looked.every(({ picture }) => picture?.isMeasured === true),
  };
}

/** Of screenshots of which only the top is there. */
function firstScreensView(shots: readonly ShotPicture[], url: (file: string) => string) {
  const shown = shots.flatMap(({ shot, picture, firstScreen, previewAt }) =>
    picture || !firstScreen
      ? []
      : [
          {
            shot,
            url: url(`${shot}.first-screen.png`),
            width: firstScreen.width,
            height: firstScreen.height,
            content_height: firstScreen.contentHeight,
            preview_at: seconds(previewAt),
          },
        ],
  );
  return shown.length > 0 && { first_screens: Object.fromEntries(shown.map(({ shot, ...view }) => [shot, view])) };
}

/** How high a part is, in pixels of the whole picture: as the screen, which may lie on its side. */
export function partHeightOf({ viewport }: ClientProfile, shot: string): number {
  return shot === 'horizontal' ? viewport.width : viewport.height;
}

/**
 * The parts of a picture with the pixels of the screen; undefined where the client's screen has no more than the picture.
 * `height` is that of the whole picture.
 */
export function sharpPartsOf(
  profile: ClientProfile,
  { shot, height }: { shot: string; height: number },
): { pixelRatio: number; partHeight: number; parts: number } | undefined {
  const { category, screenPixelRatio: pixelRatio } = profile;
  if (category !== 'Mobile' || pixelRatio <= 1) return undefined;
  const partHeight = partHeightOf(profile, shot);
  return { pixelRatio, partHeight, parts: Math.ceil(height / partHeight) };
}

function pictureView(
  { shot, key, picture, look, previewAt }: ShotPicture,
  { profile, url }: { profile: ClientProfile; url: (file: string) => string },
) {
  if (!picture) throw new Error('A picture that is not made has no view.');
  const sharp = sharpPartsOf(profile, { shot, height: picture.height });
  return {
    id: key,
    look,
    width: picture.width,
    height: picture.height,
    content_height: picture.contentHeight,
    is_cut: picture.isCut,
    bytes: picture.bytes,
    ...(previewAt && { preview_at: seconds(previewAt) }),
    ...(sharp && {
      sharp: {
        pixel_ratio: sharp.pixelRatio,
        parts: sharp.parts,
        part_height: sharp.partHeight,
        url: url(`${shot}.sharp-{part}.png`),
      },
    }),
  };
}

/**
 * The features that a message uses, that the client reads, and of which is not known what it does with them. Nothing is
 * open where the real client drew. Null: what the message uses is not known, or nothing is published of the client.
 */
export function undecidedIn(
  used: readonly UsedFeature[] | undefined,
  profile: ClientProfile,
  fidelity: string,
): Static<typeof Undecided>[] | null {
  if (fidelity === 'real') return [];
  const { support } = profile;
  if (!used || !support) return null;
  const open = new Map(undecidedCells(profile).map((cell) => [cell.slug, cell]));
  return used.flatMap((feature) => {
    const cell = open.get(feature.slug);
    if (!cell?.mayShow || !isReadBy(feature, support)) return [];
    return [
      {
        feature: cell.slug,
        title: cell.title,
        reason: cell.reason,
        tested: cell.lastTestDate,
        places: feature.places,
        place_count: feature.instanceCount,
      },
    ];
  });
}
