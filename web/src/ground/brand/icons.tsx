// The icons: strokes on a grid of 16, drawn for this dashboard.
import type { SVGProps } from 'react';

type IconProps = SVGProps<SVGSVGElement>;

function icon(path: string) {
  return function Icon({ width = 16, height = width, ...rest }: IconProps) {
    return (
      <svg
        width={width}
        height={height}
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.35"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden={rest['aria-label'] === undefined ? true : undefined}
        {...rest}
      >
        <path d={path} />
      </svg>
    );
  };
}

const DOT = 'h.01';

export const ArrowLeftIcon = icon('M13 8H3.2M7 4 3 8l4 4');
export const ArrowRightIcon = icon('M3 8h9.8M9 4l4 4-4 4');
export const CheckIcon = icon('m3 8.6 3.2 3.2L13 4.6');
export const ChevronDownIcon = icon('m4 6.2 4 4 4-4');
export const ChevronRightIcon = icon('m6.2 4 4 4-4 4');
export const ChevronUpIcon = icon('m4 9.8 4-4 4 4');
export const CloseIcon = icon('m3.8 3.8 8.4 8.4M12.2 3.8l-8.4 8.4');
export const CodeIcon = icon('M4.8 4.6 1.6 8l3.2 3.4M11.2 4.6 14.4 8l-3.2 3.4M9.4 3 6.6 13');
export const ColumnsIcon = icon('M2.2 3h11.6v10H2.2zM8 3v10');
export const CopyIcon = icon('M5.6 5.6h7.6v7.8H5.6zM10.4 5.4V2.6H2.8v7.8h2.6');
export const DesktopIcon = icon('M1.8 3h12.4v8H1.8zM5.6 13.4h4.8M8 11.2v2');
export const DotsIcon = icon('M3 8h.8M7.6 8h.8M12.2 8h.8');
export const DownloadIcon = icon('M8 2.4v7.4M4.8 6.9 8 10.1l3.2-3.2M2.6 10.6v3h10.8v-3');
export const ExitIcon = icon('M6.4 2.6H2.6v10.8h3.8M6.4 8h7.4M10.6 4.8 13.8 8l-3.2 3.2');
export const ExternalLinkIcon = icon('M9.4 2.6h4v4M13.2 2.8 7.4 8.6M6.6 3.4h-4v10h10v-4');
export const FileIcon = icon('M3.4 1.8h6l3.2 3.2v9.2H3.4zM9.2 2v3.2h3.2M5.8 8.2h4.4M5.8 11h4.4');
export const GlobeIcon = icon(
  'M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9zM2 8h12M8 2c3.6 3.6 3.6 8.4 0 12M8 2C4.4 5.6 4.4 10.4 8 14',
);
export const InfoIcon = icon(`M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9zM8 7.4v3.6M8 5${DOT}`);
export const KeyboardIcon = icon(
  `M1.6 3.8h12.8v8.4H1.6zM4.2 6.4${DOT}M6.8 6.4${DOT}M9.4 6.4${DOT}M11.9 6.4${DOT}M5.2 9.7h5.6`,
);
export const MinusIcon = icon('M3.2 8h9.6');
export const MobileIcon = icon(`M4.2 1.8h7.6v12.4H4.2zM7.4 12${DOT}h1.2`);
export const MoonIcon = icon('M6.4 2.2a6 6 0 1 0 7.4 7.4 5.2 5.2 0 0 1-7.4-7.4z');
export const PencilIcon = icon('m2.6 13.4.7-3.1 7.5-7.5 2.4 2.4-7.5 7.5zM9.4 4.2l2.4 2.4');
export const PersonIcon = icon(
  'M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9zM8 4.6a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2zM4 ' +
    '12.4c1.6-2.5 6.4-2.5 8 0',
);
export const PictureIcon = icon('M2 3h12v10H2zM2.4 11.6l3.4-3.8 2.6 2.6 2-2 3.2 3.2M10.6 6h.01');
export const PlusIcon = icon('M8 3.2v9.6M3.2 8h9.6');
export const ReaderIcon = icon('M2.6 2.6h10.8v10.8H2.6zM5.4 5.8h5.2M5.4 8h5.2M5.4 10.2h3');
export const ReloadIcon = icon('M13.2 8a5.2 5.2 0 1 1-1.6-3.8M13.4 2.4v3h-3');
export const SearchIcon = icon('M6.9 2.5a4.4 4.4 0 1 1 0 8.8 4.4 4.4 0 0 1 0-8.8zM10.1 10.1l3.6 3.6');
export const ShareIcon = icon(
  'M12 2.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4zM4 6.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4zM12 10.3a1.7 1.7 ' +
    '0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4zM5.6 7.2l4.8-2.4M5.6 8.8l4.8 2.4',
);
export const SidebarIcon = icon('M2 3h12v10H2zM6.2 3v10');
export const SlidersIcon = icon(
  'M2 5h6.4M11.8 5H14M10.1 3.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4zM2 11h2.2M7.6 11H14M5.9 9.3a1.7 1.7 0 1 1 0 ' +
    '3.4 1.7 1.7 0 0 1 0-3.4z',
);
export const SunIcon = icon(
  'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.4v1.4M8 13.2v1.4M1.4 8h1.4M13.2 8h1.4M3.3 3.3l1 1M11.7 ' +
    '11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1',
);
export const SwapIcon = icon('M2.6 5.4h10.2M10.2 2.6 13 5.4l-2.8 2.8M13.4 10.8H3.2M5.8 8 3 10.8l2.8 2.8');
export const TableIcon = icon('M2 3h12v10H2zM2 6.4h12M2 9.7h12M6.2 3v10');
export const TrashIcon = icon('M2.8 4.2h10.4M6 4V2.2h4V4M4 4.4l.6 9.4h6.8l.6-9.4M6.7 6.9v4.2M9.3 6.9v4.2');
