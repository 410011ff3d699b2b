import type { ReactNode } from 'react';
import { count, figure } from '../../../ground/words.ts';
import { agreementWords } from '../../../shared/proof/compared-words.ts';
import type { Capture } from '../../../shared/captures/captures-api.ts';
import classes from './captures.module.css';

type Comparison = NonNullable<Capture['comparison']>;
type Color = Comparison['colors']['only_captured'][number];

function Colors({ colors }: { colors: readonly Color[] }) {
  if (colors.length === 0) return 'none alone';
  return (
    <span className={classes.colors}>
      {colors.map(({ color, share }) => (
        <span key={color} className={classes.color}>
          <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />
          {color} {agreementWords(share)}
        </span>
      ))}
    </span>
  );
}

function partsWords({ parts: { missing, missing_count: total } }: Comparison, side: 'captured' | 'preview'): string {
  const lacking = missing.filter((part) => part.missing_in === side).length;
  if (lacking === 0) return 'lacks nothing';
  return `lacks ${count(lacking, 'part')}${missing.length < total ? ' or more' : ''}`;
}

function rowsOf(comparison: Comparison): [name: string, captured: ReactNode, preview: ReactNode, agreement: number][] {
  const { width, height, lines, colors, parts } = comparison;
  return [
    ['Width', `${figure(width.captured)} px`, `${figure(width.preview)} px`, width.agreement],
    ['Height', `${figure(height.captured)} px`, `${figure(height.preview)} px`, height.agreement],
    ['Lines (wraps)', figure(lines.captured), figure(lines.preview), lines.agreement],
    [
      'Colors',
      <Colors key="captured" colors={colors.only_captured} />,
      <Colors key="preview" colors={colors.only_preview} />,
      colors.agreement,
    ],
    ['Missing parts', partsWords(comparison, 'captured'), partsWords(comparison, 'preview'), parts.agreement],
  ];
}

/** How far two pictures agree, trait by trait. */
export function Traits({ comparison }: { comparison: Comparison }) {
  return (
    <>
      <p className={classes.verdict}>
        <strong>{agreementWords(comparison.agreement)}</strong> of the picture agree.
      </p>
      <table className={classes.traits}>
        <thead>
          <tr>
            {['Trait', 'Captured', 'Preview', 'Agree'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(comparison).map(([name, captured, preview, agreement]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{captured}</td>
              <td>{preview}</td>
              <td>{agreementWords(agreement)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.method}>{comparison.method}</p>
    </>
  );
}
