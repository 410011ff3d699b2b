import type { ActionWords } from './action-words.ts';
import classes from './routes.module.css';

/** Actions, one a line; `none`: what is said where there is no action. */
export function ActionList({ actions, none }: { actions: readonly ActionWords[]; none: string }) {
  const shown = actions.length > 0 ? actions : [{ words: none }];
  return (
    <ul className={classes.does}>
      {shown.map(({ words, target }, place) => (
        <li key={place}>
          {words}
          {target !== undefined && (
            <>
              {' '}
              <bdi>{target}</bdi>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
