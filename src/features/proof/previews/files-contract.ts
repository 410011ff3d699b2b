// Pictures, at the addresses that results give.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { common } from './contract.ts';

/** Of small pictures in WebP. */
const WIDTHS = [120, 160, 240, 320, 480] as const;
export const fileQuery = {
  download: Type.Optional(Type.String({ description: 'With any value, the answer is an attachment.' })),
  width: Type.Optional(
    Type.Enum(WIDTHS.map(String) as `${(typeof WIDTHS)[number]}`[], {
      description: 'Of `….thumbnail.webp`, `….full-thumbnail.webp` and `….first-screen.webp`, in pixels.',
    }),
  ),
};

export const getFile = contract({
  ...common,
  method: 'GET',
  operationId: 'getPreviewFile',
  path: '/files/previews/{token}/{client_id}/{file}',
  summary: 'Get a picture of a preview; the address itself is the permission',
  description:
    'Besides the addresses in results, `default.thumbnail.webp`, `default.full-thumbnail.webp` and ' +
    '`default.first-screen.webp` take a `width`.',
  params: Type.Object({ token: Type.String(), client_id: Type.String(), file: Type.String() }),
  query: Type.Object(fileQuery),
  reply: Type.Unknown(),
  errors: ['not_found', 'invalid_request', 'too_early', 'damaged'],
  access: 'none',
  isFile: true,
});
