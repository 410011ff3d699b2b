import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { Fragment, useMemo } from 'react';
import { ChevronDownIcon, ChevronRightIcon, SearchIcon } from '../../../ground/brand/icons.tsx';
import { RichText } from '../../../shared/report/rich-text.tsx';
import type { AnalyzedFeature } from '../../../shared/report/report-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { calendarDay, count } from '../../../ground/words.ts';
import classes from './code-page.module.css';
import { LevelMark } from './level-mark.tsx';
import { LEVEL_NAMES, levelOf, MAIN_FAMILIES, supportOf, type PlatformSupport } from './support.ts';

const INSTANCES_SHOWN = 24;

export interface Names {
  clients: Record<string, string>;
  platforms: Record<string, string>;
}

/** A place where a feature is used, by its number in the viewer. */
type Numbers = ReadonlyMap<string, number>;

interface RowProps {
  feature: AnalyzedFeature;
  families: string[];
  names: Names;
  numbers: Numbers;
  selected: number | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onChoose: (number: number) => void;
}

function inWords(platforms: readonly PlatformSupport[] | undefined, { platforms: names }: Names): string {
  return (
    (platforms ?? [])
      .map(({ platform, level }) => `${names[platform] ?? platform}: ${LEVEL_NAMES[level]}`)
      .join('\n') || 'not tested'
  );
}

function Details({ feature, names, numbers, selected, onChoose }: Omit<RowProps, 'families' | 'isOpen' | 'onToggle'>) {
  const support = supportOf(feature);
  const poor = [...support].flatMap(([family, platforms]) =>
    platforms.filter(({ level }) => level === 'a' || level === 'n').map((one) => ({ family, ...one })),
  );
  const shown = feature.instances.slice(0, INSTANCES_SHOWN);
  return (
    <div className={classes.featureDetails}>
      <p>
        <RichText text={feature.description} />
      </p>
      {feature.suggestion && (
        <p>
          <strong>Fix:</strong> <RichText text={feature.suggestion} />
        </p>
      )}
      <p className={classes.instances}>
        {shown.map(({ id, line }) => {
          const number = numbers.get(id);
          return number === undefined ? null : (
            <button
              key={id}
              type="button"
              className={reportClasses.placeButton}
              aria-pressed={selected === number}
              onClick={() => onChoose(number)}
            >
              line {line}
            </button>
          );
        })}
        {feature.instance_count > shown.length && (
          <span className="dim">and {feature.instance_count - shown.length} more</span>
        )}
      </p>
      {poor.length > 0 && (
        <ul className={classes.poor}>
          {poor.map(({ family, platform, level, notes }) => (
            <li key={`${family} ${platform}`}>
              <LevelMark level={level} title="" /> {names.clients[family] ?? family} (
              {names.platforms[platform] ?? platform})
              {notes.map(
                (note) =>
                  feature.notes_lookup[note] && (
                    <span key={note} className="dim">
                      {' '}
                      <RichText text={feature.notes_lookup[note]} />
                    </span>
                  ),
              )}
            </li>
          ))}
        </ul>
      )}
      <p className={classes.small}>
        <a href={feature.url} target="_blank" rel="noreferrer">
          Test results
        </a>
        , {calendarDay(feature.last_test_date)}
      </p>
    </div>
  );
}

function FeatureRow(props: RowProps) {
  const { feature, families, names, isOpen, onToggle } = props;
  const support = useMemo(() => supportOf(feature), [feature]);
  return (
    <Fragment>
      <tr id={`feature-${feature.slug}`}>
        <th scope="row">
          <button type="button" className={classes.featureName} aria-expanded={isOpen} onClick={onToggle}>
            {isOpen ? <ChevronDownIcon /> : <ChevronRightIcon />}
            <span>{feature.name}</span>
            <span className={classes.times}>{feature.instance_count}×</span>
          </button>
        </th>
        {families.map((family) => (
          <td key={family}>
            <LevelMark level={levelOf(support.get(family))} title={inWords(support.get(family), names)} />
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={families.length + 1} className={classes.featureCell}>
            <Details {...props} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** How bad it is for a feature's readers, for the order of the table. */
function weight(feature: AnalyzedFeature, costs: ReadonlyMap<string, number>): number {
  return costs.get(feature.slug) ?? 0;
}

export interface FeatureTableState {
  scope: 'problems' | 'all';
  words: string;
  isWide: boolean;
  open: ReadonlySet<string>;
}

interface FeatureTableProps {
  features: AnalyzedFeature[];
  names: Names;
  numbers: Numbers;
  /** Points that a feature costs. */
  costs: ReadonlyMap<string, number>;
  selected: number | undefined;
  state: FeatureTableState;
  onState: (changes: Partial<FeatureTableState>) => void;
  onChoose: (number: number) => void;
}

/** Every feature that the message uses, and which families of clients support it. */
export function FeatureTable({
  features,
  names,
  numbers,
  costs,
  selected,
  state,
  onState,
  onChoose,
}: FeatureTableProps) {
  const { scope, words, isWide, open } = state;
  const hasProblem = (feature: AnalyzedFeature): boolean =>
    [...supportOf(feature).values()].some((platforms) => ['a', 'n'].includes(levelOf(platforms)));
  const withProblems = useMemo(() => features.filter(hasProblem), [features]);
  const shown = useMemo(
    () =>
      (scope === 'all' ? features : withProblems)
        .filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(words.toLowerCase()))
        .toSorted((a, b) => weight(b, costs) - weight(a, costs)),
    [features, withProblems, scope, words, costs],
  );
  const all = [...MAIN_FAMILIES, ...Object.keys(names.clients).filter((family) => !MAIN_FAMILIES.includes(family))];
  const families = isWide ? all : MAIN_FAMILIES;
  const toggle = (slug: string): void =>
    onState({ open: open.has(slug) ? new Set([...open].filter((one) => one !== slug)) : new Set([...open, slug]) });
  return (
    <section aria-label="Features">
      <h3 className={reportClasses.sectionTitle}>
        Features{' '}
        <span className={reportClasses.sectionNote}>
          {count(features.length, 'feature')} HTML and CSS that the message uses
        </span>
      </h3>
      <div className={reportClasses.filters}>
        <SegmentedControl
          aria-label="Which features"
          value={scope}
          onChange={(value) => onState({ scope: value as FeatureTableState['scope'] })}
          data={[
            { value: 'problems', label: `Partial support ${withProblems.length}` },
            { value: 'all', label: `All ${features.length}` },
          ]}
        />
        <TextInput
          type="search"
          aria-label="Search features"
          placeholder="Search features"
          leftSection={<SearchIcon />}
          value={words}
          onChange={(event) => onState({ words: event.currentTarget.value })}
          className={classes.search}
        />
        <Button variant="default" size="xs" h={34} aria-pressed={isWide} onClick={() => onState({ isWide: !isWide })}>
          {isWide ? 'Main clients' : 'All clients'}
        </Button>
      </div>
      <Sideways className={classes.matrix} label="Support by client">
        <table>
          <thead>
            <tr>
              <td />
              {families.map((family) => (
                <th key={family} scope="col">
                  {names.clients[family] ?? family}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((feature) => (
              <FeatureRow
                key={feature.slug}
                feature={feature}
                families={families}
                names={names}
                numbers={numbers}
                selected={selected}
                isOpen={open.has(feature.slug)}
                onToggle={() => toggle(feature.slug)}
                onChoose={onChoose}
              />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p className="dim">No features match.</p>}
      </Sideways>
      <p className={classes.legend}>
        {(['y', 'a', 'n', 'u'] as const).map((level) => (
          <span key={level}>
            <LevelMark level={level} title="" /> {LEVEL_NAMES[level]}
          </span>
        ))}
      </p>
    </section>
  );
}
