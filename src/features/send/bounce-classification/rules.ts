// Rules, classes and entities by their ids.
import {
  BOUNCE_CLASSES,
  BOUNCE_ENTITIES,
  BOUNCE_RULES,
  type BounceClass,
} from '../../../engines/bounce-classes/index.ts';

const CLASSES = new Map(BOUNCE_CLASSES.map((one) => [one.id, one]));
const CLASS_OF_RULE = new Map(BOUNCE_RULES.map((rule) => [rule.id, rule.class]));
const NAMES = new Map(BOUNCE_ENTITIES.map(({ id, name }) => [id, name]));

/** The class of a rule; of a rule that there is no more, the last class. */
export const classOfRule = (rule: string): BounceClass =>
  CLASSES.get(CLASS_OF_RULE.get(rule) ?? 'unclassified') as BounceClass;

export const classById = (id: string): BounceClass | undefined => CLASSES.get(id);

export const entityName = (entity: string): string => NAMES.get(entity) ?? entity;

/** What is asked for by the older form. */
export const entityConfig = () => Object.fromEntries(BOUNCE_ENTITIES.map(({ id, name }) => [id, { name }]));

export const ruleConfig = () =>
  Object.fromEntries(
    BOUNCE_RULES.map(({ id, class: classId, entity, sample }) => {
      const { name, explanation, advice } = CLASSES.get(classId) as BounceClass;
      const texts = { 'sample-text': sample, explanation, 'short-explanation': name, advice };
      return [id, { ...(entity !== undefined && { entity_id: entity }), class: classId, ...texts }];
    }),
  );
