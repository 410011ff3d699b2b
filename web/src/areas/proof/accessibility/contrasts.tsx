import { Tooltip } from '@mantine/core';
import { ShowMore, useGrowing } from '../../../shared/report/growing.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { count } from '../../../ground/words.ts';
import classes from './accessibility-page.module.css';
import type { Contrast } from './rules.ts';

const COLOR = /^#[0-9a-f]{3,8}$/i;
const PAIRS = { first: 12, step: 48 };

interface ContrastsProps {
  contrasts: Contrast[];
  selected: number | undefined;
  onChoose: (number: number) => void;
}

function Swatches({ title, contrasts, selected, onChoose }: ContrastsProps & { title: string }) {
  const page = useGrowing(contrasts, PAIRS);
  if (contrasts.length === 0) return null;
  return (
    <>
      <h4 className={classes.swatchTitle}>{title}</h4>
      <ul className={classes.swatches}>
        {page.shown.map((contrast) => {
          const { foreground, background, ratio, number, clients } = contrast;
          // Colors come from the message: only what is a color becomes a style.
          const [ink, ground] = [foreground, background].map((color) => (COLOR.test(color) ? color : 'transparent'));
          return (
            <li key={`${foreground} ${background}`}>
              <Tooltip label={clients.join(', ')} disabled={clients.length === 0} multiline maw={320}>
                <button
                  type="button"
                  className={classes.swatch}
                  aria-pressed={selected === number}
                  onClick={() => onChoose(number)}
                >
                  <svg className={classes.sample} width="54" height="42" viewBox="0 0 54 42" aria-hidden="true">
                    <rect width="54" height="42" fill={ground} />
                    <text x="27" y="27" textAnchor="middle" fontSize="17" fill={ink}>
                      Aa
                    </text>
                  </svg>
                  <span className={classes.pair}>
                    <strong>{ratio}:1</strong>{' '}
                    <span className="mono">
                      {foreground} on {background}
                    </span>
                    <span className={classes.pairNote}>
                      {count(contrast.count, 'place')}
                      {clients.length > 0 && `, ${count(clients.length, 'client')}`}
                    </span>
                  </span>
                </button>
              </Tooltip>
            </li>
          );
        })}
      </ul>
      <ShowMore page={page} noun="pair" />
    </>
  );
}

/** Colors that stand too close to each other, as they are and after dark mode. */
export function Contrasts(props: ContrastsProps) {
  if (props.contrasts.length === 0) return null;
  return (
    <section aria-label="Contrast">
      <h3 className={reportClasses.sectionTitle}>
        Contrast <span className={reportClasses.sectionNote}>color pairs with too little contrast</span>
      </h3>
      <Swatches {...props} title="As written" contrasts={props.contrasts.filter(({ isDark }) => !isDark)} />
      <Swatches {...props} title="In dark mode" contrasts={props.contrasts.filter(({ isDark }) => isDark)} />
    </section>
  );
}
